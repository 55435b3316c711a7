// Descriptors of the generic API.
#pragma once

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t* made, int64_t size, int64_t count, void* indices,
                                     void* values, cusparseIndexType_t index, cusparseIndexBase_t base,
                                     cudaDataType type);
cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t* made, int64_t size, int64_t count,
                                          const void* indices, const void* values, cusparseIndexType_t index,
                                          cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t vector);
cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t vector, int64_t* size, int64_t* count, void** indices,
                                  void** values, cusparseIndexType_t* index, cusparseIndexBase_t* base,
                                  cudaDataType* type);
cusparseStatus_t cusparseConstSpVecGet(cusparseConstSpVecDescr_t vector, int64_t* size, int64_t* count,
                                       const void** indices, const void** values, cusparseIndexType_t* index,
                                       cusparseIndexBase_t* base, cudaDataType* type);
cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t vector, cusparseIndexBase_t* base);
cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t vector, void** values);
cusparseStatus_t cusparseConstSpVecGetValues(cusparseConstSpVecDescr_t vector, const void** values);
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t vector, void* values);
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* made, int64_t size, void* values,
                                     cudaDataType type);
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t* made, int64_t size, const void* values,
                                          cudaDataType type);
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector);
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t vector, int64_t* size, void** values,
                                  cudaDataType* type);
cusparseStatus_t cusparseConstDnVecGet(cusparseConstDnVecDescr_t vector, int64_t* size, const void** values,
                                       cudaDataType* type);
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void** values);
cusparseStatus_t cusparseConstDnVecGetValues(cusparseConstDnVecDescr_t vector, const void** values);
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void* values);
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* made, int64_t rows, int64_t columns, int64_t ld,
                                     void* values, cudaDataType type, cusparseOrder_t order);
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t* made, int64_t rows, int64_t columns,
                                          int64_t ld, const void* values, cudaDataType type,
                                          cusparseOrder_t order);
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix);
cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t matrix, int64_t* rows, int64_t* columns, int64_t* ld,
                                  void** values, cudaDataType* type, cusparseOrder_t* order);
cusparseStatus_t cusparseConstDnMatGet(cusparseConstDnMatDescr_t matrix, int64_t* rows, int64_t* columns,
                                       int64_t* ld, const void** values, cudaDataType* type,
                                       cusparseOrder_t* order);
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t matrix, void** values);
cusparseStatus_t cusparseConstDnMatGetValues(cusparseConstDnMatDescr_t matrix, const void** values);
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void* values);
cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t matrix, int count, int64_t stride);
cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t matrix, int* count, int64_t* stride);
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* made, int64_t rows, int64_t columns, int64_t count,
                                   void* first, void* second, void* values, cusparseIndexType_t index,
                                   cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t* made, int64_t rows, int64_t columns,
                                        int64_t count, const void* first, const void* second,
                                        const void* values, cusparseIndexType_t index,
                                        cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* columns, int64_t* count,
                                void** first, void** second, void** values, cusparseIndexType_t* index,
                                cusparseIndexBase_t* base, cudaDataType* type);
cusparseStatus_t cusparseConstCooGet(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* columns,
                                     int64_t* count, const void** first, const void** second,
                                     const void** values, cusparseIndexType_t* index,
                                     cusparseIndexBase_t* base, cudaDataType* type);
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void* first, void* second, void* values);
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix);
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix, cusparseFormat_t* format);
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t matrix, cusparseIndexBase_t* base);
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t matrix, void** values);
cusparseStatus_t cusparseConstSpMatGetValues(cusparseConstSpMatDescr_t matrix, const void** values);
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void* values);
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* columns,
                                      int64_t* count);
cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t matrix, int* count);
cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t matrix, int count, int64_t stride);
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t matrix, int count, int64_t first_stride,
                                            int64_t stride);
cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t matrix, cusparseSpMatAttribute_t which,
                                           void* data, size_t bytes);
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix, cusparseSpMatAttribute_t which,
                                           void* data, size_t bytes);
cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* made, int64_t rows, int64_t columns, int64_t count,
                                   void* first, void* second, void* values, cusparseIndexType_t first_type,
                                   cusparseIndexType_t second_type, cusparseIndexBase_t base,
                                   cudaDataType type);
cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t* made, int64_t rows, int64_t columns,
                                        int64_t count, const void* first, const void* second,
                                        const void* values, cusparseIndexType_t first_type,
                                        cusparseIndexType_t second_type, cusparseIndexBase_t base,
                                        cudaDataType type);
cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* columns, int64_t* count,
                                void** first, void** second, void** values, cusparseIndexType_t* first_type,
                                cusparseIndexType_t* second_type, cusparseIndexBase_t* base,
                                cudaDataType* type);
cusparseStatus_t cusparseConstCsrGet(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* columns,
                                     int64_t* count, const void** first, const void** second,
                                     const void** values, cusparseIndexType_t* first_type,
                                     cusparseIndexType_t* second_type, cusparseIndexBase_t* base,
                                     cudaDataType* type);
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void* first, void* second, void* values);
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t* made, int64_t rows, int64_t columns, int64_t count,
                                   void* first, void* second, void* values, cusparseIndexType_t first_type,
                                   cusparseIndexType_t second_type, cusparseIndexBase_t base,
                                   cudaDataType type);
cusparseStatus_t cusparseCreateConstCsc(cusparseConstSpMatDescr_t* made, int64_t rows, int64_t columns,
                                        int64_t count, const void* first, const void* second,
                                        const void* values, cusparseIndexType_t first_type,
                                        cusparseIndexType_t second_type, cusparseIndexBase_t base,
                                        cudaDataType type);
cusparseStatus_t cusparseCscGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* columns, int64_t* count,
                                void** first, void** second, void** values, cusparseIndexType_t* first_type,
                                cusparseIndexType_t* second_type, cusparseIndexBase_t* base,
                                cudaDataType* type);
cusparseStatus_t cusparseConstCscGet(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* columns,
                                     int64_t* count, const void** first, const void** second,
                                     const void** values, cusparseIndexType_t* first_type,
                                     cusparseIndexType_t* second_type, cusparseIndexBase_t* base,
                                     cudaDataType* type);
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void* first, void* second, void* values);
