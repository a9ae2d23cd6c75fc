import { nonStreamingTimeouts, streamingTimeouts } from '#upstream/client.ts';
import type { UpstreamTimeouts } from '#upstream/upstream-response.ts';

/** How long the gate waits for others before it gives up on them (reliability L7, U1). */
export interface Patience {
  readonly streaming: UpstreamTimeouts;
  readonly nonStreaming: UpstreamTimeouts;
  /** For a caller that takes nothing of an answer that is ready for it. */
  readonly idleWriteMs: number;
}

export const defaultPatience: Patience = {
  streaming: streamingTimeouts,
  nonStreaming: nonStreamingTimeouts,
  idleWriteMs: 60_000,
};
