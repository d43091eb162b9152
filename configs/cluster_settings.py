"""Settings of workers on this and other machines."""

from pydantic import Field

from soprag.configs.section import SettingsSection


class ClusterSettings(SettingsSection):
    """Work on Dask workers, with the extra soprag[cluster], see docs/cluster.md."""

    scheduler: str = Field(
        pattern=r"^((tcp|tls)://[^@\s]+)?$",
        description="Address of a Dask scheduler whose workers share the run folder, such as tcp://10.0.0.5:8786; "
        "empty: none.",
    )
    workers: int = Field(
        ge=0, le=64, description="Worker processes on this machine for the time of a command; 0: no workers are used."
    )
    patience: float = Field(gt=0, description="Seconds to wait until the scheduler and a first worker are there.")
    cache: str = Field(
        description="Cache folder of each worker, on a disk of its own; empty: run.cache for cluster.workers, else the "
        "local directory of the Dask worker."
    )

    @property
    def used(self) -> bool:
        """Whether there are workers at all."""
        return bool(self.scheduler or self.workers)
