"""The subcommands of `rulekit`, one module each; `rulekit.cli` lists them."""
