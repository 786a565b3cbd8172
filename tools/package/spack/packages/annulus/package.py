"""Spack package: spack repo add tools/package/spack; spack dev-build --source-path . annulus@0.2.0 +cuda cuda_arch=90"""
from spack.package import *


class Annulus(CMakePackage, CudaPackage):
    """Multi-GPU structured-grid flow solver for turbomachinery."""

    license("MIT")
    version("0.2.0")

    variant("avx", default=True, description="also build the CPU engine for AVX2 and AVX-512", when="target=x86_64:")
    variant("plot", default=True, description="what annulus-plot needs")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.9:", type=("build", "run"))
    depends_on("mpi")
    depends_on("hdf5@1.10.7: +mpi")
    depends_on("cgns@3.4: +hdf5 +mpi")
    depends_on("libyaml")
    depends_on("jansson")
    depends_on("xxhash")
    depends_on("cmocka", type="test")
    depends_on("cuda@12.0:", when="+cuda")
    with when("+plot"):
        depends_on("py-numpy", type="run")
        depends_on("py-h5py", type="run")
        depends_on("py-pyyaml", type="run")
        depends_on("py-matplotlib", type="run")

    def cmake_args(self):
        args = [self.define("AN_CUDA", "ON" if self.spec.satisfies("+cuda") else "OFF")]
        if self.spec.satisfies("~avx"):
            args.append(self.define("AN_CPU_SETS", "baseline"))
        if self.spec.satisfies("+cuda") and "none" not in self.spec.variants["cuda_arch"].value:
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", list(self.spec.variants["cuda_arch"].value)))
        return args
