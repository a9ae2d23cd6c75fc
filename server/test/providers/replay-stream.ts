import type { StreamEvent } from '#protocols/canonical/stream-event.ts';
import type { ProviderSide } from '#protocols/protocol.ts';
import { NdjsonSplitter } from '#upstream/ndjson.ts';
import { type FramedEvent, SseSplitter, type StreamSplitter } from '#upstream/sse.ts';
import { UpstreamError } from '#upstream/upstream-error.ts';

export function replayStream(
  provider: ProviderSide,
  bytes: Buffer,
  pieceBytes = bytes.length,
): StreamEvent[] {
  const count = Math.ceil(bytes.length / pieceBytes) - 1;
  return replayCut(
    provider,
    bytes,
    Array.from({ length: Math.max(count, 0) }, (_, index) => (index + 1) * pieceBytes),
  );
}

export function replayCut(provider: ProviderSide, bytes: Buffer, cuts: readonly number[]): StreamEvent[] {
  const splitter: StreamSplitter = provider.framing === 'sse' ? new SseSplitter() : new NdjsonSplitter();
  const decoder = provider.createStreamDecoder();
  const events: StreamEvent[] = [];
  const take = (frames: readonly FramedEvent[]) => {
    for (const frame of frames) events.push(...decoder.decode(frame));
  };
  let start = 0;
  for (const end of [...cuts, bytes.length]) {
    take(splitter.feed(bytes.subarray(start, end)));
    start = end;
  }
  take(splitter.end());
  return [...events, ...decoder.end()];
}

/** Only a typed error may end the stream early. */
export function replayGarbled(provider: ProviderSide, bytes: Buffer): StreamEvent[] {
  try {
    return replayStream(provider, bytes);
  } catch (error) {
    if (error instanceof UpstreamError) return [];
    throw error;
  }
}
