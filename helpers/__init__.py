"""Code behind the notebooks of label-studies."""
