"""A command that takes each option once, so that no script loses a line of its query unnoticed."""

from __future__ import annotations

from collections import Counter

import click


class Command(click.Command):
    """As click's, which lets the last of several values win, but a repeated option is a usage error.

    Options that may be repeated say so, and a flag that is set twice is set.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse what is given twice, then parse as click does."""
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        for option, times in Counter(given).items():
            if times > 1 and isinstance(option, click.Option) and not _repeatable(option):
                raise click.UsageError(f"{option.get_error_hint(ctx)} is given {times} times and takes one value.", ctx)
        return super().parse_args(ctx, args)


def _repeatable(option: click.Option) -> bool:
    return option.multiple or option.count or (option.is_flag and not option.secondary_opts)
