// Handles, codes, and descriptors of the older API (cuSPARSE documentation, "Management Functions").
#pragma once

cusparseStatus_t cusparseCreate(cusparseHandle_t* handle);
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle);
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream);
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t* stream);
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode);
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t* mode);
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int* version);
cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int* value);
const char* cusparseGetErrorName(cusparseStatus_t status);
const char* cusparseGetErrorString(cusparseStatus_t status);
cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t* made);
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t matrix);
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t matrix, cusparseMatrixType_t value);
cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t matrix);
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t matrix, cusparseFillMode_t value);
cusparseFillMode_t cusparseGetMatFillMode(const cusparseMatDescr_t matrix);
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t matrix, cusparseDiagType_t value);
cusparseDiagType_t cusparseGetMatDiagType(const cusparseMatDescr_t matrix);
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t matrix, cusparseIndexBase_t value);
cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t matrix);
