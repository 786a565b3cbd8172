#include "bench/designs/tensor_copy.cuh"

#include <cstring>

namespace an_bench
{

typedef CUresult (*encode_function)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *,
                                    const cuuint64_t *, const cuuint64_t *, const cuuint32_t *,
                                    const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                                    CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

static __global__ void probe()
{
}

/* Whether the device has the engine and these kernels were compiled for one that has it: a driver
 * can translate kernels for an older device to a new one, and their bodies are empty. */
static int has_engine(bool *has)
{
    int device, major;
    cudaFuncAttributes built;
    AN_CUDA(cudaGetDevice(&device));
    AN_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    AN_CUDA(cudaFuncGetAttributes(&built, probe));
    *has = major >= 9 && built.ptxVersion >= 90;
    return AN_OK;
}

/* cuTensorMapEncodeTiled of the driver is looked up at run time, so that the program also starts
 * where no driver is installed. */
static int find_encode(encode_function *f)
{
    bool has;
    void *found = nullptr;
    cudaDriverEntryPointQueryResult status;
    AN_TRY(has_engine(&has));
    if (!has)
        return UNFIT;
#if CUDART_VERSION >= 12050
    AN_CUDA(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000,
                                             cudaEnableDefault, &status));
#else
    AN_CUDA(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &found, cudaEnableDefault, &status));
#endif
    *f = reinterpret_cast<encode_function>(found);
    return status == cudaDriverEntryPointSuccess && found ? AN_OK : UNFIT;
}

int tensor_map(const problem &p, const int box[2], CUtensorMap *map)
{
    struct key {
        const void *from;
        int n[3], precision, box[2];
    };
    static key kept;
    static CUtensorMap kept_map;
    key k;
    memset(&k, 0, sizeof k);
    k.from = p.from;
    memcpy(k.n, p.n, sizeof k.n);
    k.precision = p.precision;
    memcpy(k.box, box, sizeof k.box);
    if (memcmp(&k, &kept, sizeof k) != 0) {
        encode_function encode = nullptr;
        const int found = find_encode(&encode);
        if (found != AN_OK)
            return found;
        const cuuint64_t word = static_cast<cuuint64_t>(p.precision / 8);
        const cuuint64_t n[3] = {static_cast<cuuint64_t>(p.n[0]), static_cast<cuuint64_t>(p.n[1]),
                                 static_cast<cuuint64_t>(p.n[2])};
        const cuuint64_t stride[2] = {p.pitch * word, p.plane * word};
        const cuuint32_t boxes[3] = {static_cast<cuuint32_t>(box[0]),
                                     static_cast<cuuint32_t>(box[1]), 1};
        const cuuint32_t one[3] = {1, 1, 1};
        if (encode(&kept_map,
                   p.precision == 32 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32
                                     : CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
                   3, p.from, n, stride, boxes, one, CU_TENSOR_MAP_INTERLEAVE_NONE,
                   CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                   CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
            return UNFIT;
        kept = k;
    }
    *map = kept_map;
    return AN_OK;
}

} // namespace an_bench
