"""The priority queues of the kernels: a ladder queue that takes all numbers, and buckets for small whole numbers."""
