"""Pictures of Annulus: one module per subcommand of tools/plot."""
