"""Saved searches: values, trees and arrays of kernels in a file, from which nothing is run or unpickled."""
