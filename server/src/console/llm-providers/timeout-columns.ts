import type { ProviderTimeoutField } from '@sluice/contract';

type Given = Partial<Record<ProviderTimeoutField, number | null>>;

/** Maps the timeouts of a body to columns; absent ones stay unchanged. */
export const timeoutColumns = (body: Given) => ({
  connectTimeoutMs: body.connect_timeout_ms,
  firstByteTimeoutMs: body.first_byte_timeout_ms,
  idleTimeoutMs: body.idle_timeout_ms,
  totalTimeoutMs: body.total_timeout_ms,
  streamTotalTimeoutMs: body.stream_total_timeout_ms,
});
