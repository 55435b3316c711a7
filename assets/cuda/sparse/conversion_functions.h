// From one format to another, and sorting.
#pragma once

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseConstSpMatDescr_t sparse,
                                                  cusparseDnMatDescr_t dense, cusparseSparseToDenseAlg_t,
                                                  size_t* bytes);
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t sparse,
                                       cusparseDnMatDescr_t dense, cusparseSparseToDenseAlg_t, void*);
cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseConstDnMatDescr_t dense,
                                                  cusparseSpMatDescr_t sparse, cusparseDenseToSparseAlg_t,
                                                  size_t* bytes);
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseConstDnMatDescr_t dense,
                                                cusparseSpMatDescr_t sparse, cusparseDenseToSparseAlg_t,
                                                void*);
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t dense,
                                               cusparseSpMatDescr_t sparse, cusparseDenseToSparseAlg_t,
                                               void*);
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int* rows, int count, int m, int* begin,
                                  cusparseIndexBase_t base);
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int* begin, int count, int m, int* rows,
                                  cusparseIndexBase_t base);
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int m, int n, int count, const void*,
                                               const int*, const int*, void*, int*, int*, cudaDataType,
                                               cusparseAction_t, cusparseIndexBase_t, cusparseCsr2CscAlg_t,
                                               size_t* bytes);
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int count, const void* values,
                                    const int* begin, const int* columns, void* to_values, int* to_begin,
                                    int* to_rows, cudaDataType type, cusparseAction_t action,
                                    cusparseIndexBase_t base, cusparseCsr2CscAlg_t, void*);
cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int* order);
cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int count, const int*,
                                                const int*, size_t* bytes);
cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int m, int n, int count, int* rows,
                                       int* columns, int* order, void* buffer);
cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int m, int n, int count, int* rows,
                                          int* columns, int* order, void* buffer);
cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int count, const int*,
                                                const int*, size_t* bytes);
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int n, int count,
                                  const cusparseMatDescr_t matrix, const int* begin, int* columns, int* order,
                                  void* buffer);
cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int count, const int*,
                                                const int*, size_t* bytes);
cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int m, int n, int count,
                                  const cusparseMatDescr_t matrix, const int* begin, int* rows, int* order,
                                  void* buffer);
