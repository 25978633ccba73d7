def register() -> None:
    """Registers the accessor, as soon as somebody imports xarray: that takes longer than Terrane itself."""
    if "xarray" in sys.modules:
        _register()
    else:
        sys.meta_path.insert(0, _WithXarray())


def _register() -> None:
    import xarray

    xarray.register_dataarray_accessor("terrane")(Accessor)  # type: ignore[no-untyped-call]


class _WithXarray(MetaPathFinder):
    """Finds nothing but xarray, once, and registers the accessor behind it."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name != "xarray":
            return None
        sys.meta_path.remove(self)
        spec = find_spec(name)
        if spec is not None and isinstance(spec.loader, Loader):
            execute = spec.loader.exec_module

            def executed(module: Any) -> None:
                execute(module)
                _register()

            spec.loader.exec_module = executed  # type: ignore[method-assign]
        return spec
