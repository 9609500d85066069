"""The daemon that makes Spark's Python workers, with `chaos`."""

import chaos

chaos.install()

if __name__ == "__main__":
    import runpy

    runpy.run_module("pyspark.daemon", run_name="__main__", alter_sys=True)
