"""Machine code compared with hand-tuned C++, which is compiled at run time: time and memory."""
