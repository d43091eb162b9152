"""Work on Dask workers: what the coordinator sends out, what a worker does with it, and what workers ask back."""
