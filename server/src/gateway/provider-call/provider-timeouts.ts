import { nonStreamingTimeouts, streamingTimeouts } from '#upstream/client.ts';
import type { UpstreamTimeouts } from '#upstream/upstream-response.ts';

/** How long the gate waits for others before it gives up on them. */
export interface ProviderTimeouts {
  readonly streaming: UpstreamTimeouts;
  readonly nonStreaming: UpstreamTimeouts;
  /** How often a failed call is repeated at the same instance. */
  readonly retriesMax: number;
  /** Before a failed call is repeated at the same instance, when a provider asks for a wait. */
  readonly retryWaitMs: number;
  /** The same while another instance could be asked instead. */
  readonly retryWaitBeforeFallbackMs: number;
  /** For a caller that takes nothing of an answer that is ready for it. */
  readonly idleWriteMs: number;
}

export const defaultTimeouts: ProviderTimeouts = {
  streaming: streamingTimeouts,
  nonStreaming: nonStreamingTimeouts,
  retriesMax: 2,
  retryWaitMs: 5_000,
  retryWaitBeforeFallbackMs: 1_000,
  idleWriteMs: 60_000,
};
