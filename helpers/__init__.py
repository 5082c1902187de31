"""Code behind the notebooks of label-studies."""

from helpers import numba_cache

numba_cache.provide()  # before anything imports numba
