"""The base class of a settings section, its error, and the field types that several sections use."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

# Without user:password@, which would end up in records.
ServerUrl = Annotated[str, Field(pattern=r"^(https?://[^@\s]+)?$")]


class SettingsError(ValueError):
    """A setting is unknown or out of range; the message names it and says where all settings are listed."""


class SettingsSection(BaseModel):
    """A frozen section of the settings; an unknown name is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
