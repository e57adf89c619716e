/** Paths that the OpenAPI document describes. */
export const DESCRIBED = /^\/(?:api\/v1|d)\//;
