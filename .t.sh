cd /work/wt/caller && PYTHONPATH=$PWD OMP_NUM_THREADS=1 nice -n 10 /work/main/.venv/bin/python -m pytest -p no:cacheprovider --no-header -q "$@"
