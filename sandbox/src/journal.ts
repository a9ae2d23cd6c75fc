/** How the answer to an accepted request ended. */
export type Outcome =
  /** the whole answer was handed to the socket */
  | 'completed'
  /** the connection went away before that */
  | 'client_closed'
  /** the model destroyed the connection */
  | 'reset'
  /** the model answered with an error, or with no answer at all: nothing was generated or billed */
  | 'refused'
  /** the model ended the response before its answer was whole */
  | 'truncated';

export type Protocol =
  | 'openai-chat'
  | 'openai-responses'
  | 'openai-embeddings'
  | 'anthropic-messages'
  | 'gemini'
  | 'cohere'
  | 'ollama';

export type Operation = 'generate' | 'embed' | 'count_tokens';

/** Frames of a stream, one after the other, that carried equally many tokens. */
export interface FrameRun {
  count: number;
  tokensEach: number;
}

/** What the sandbox billed for one accepted request, that is one whose key and body were in order. */
export interface JournalEntry {
  /** 1 for the first entry; entries stand in the order in which their responses ended */
  sequence: number;
  /** the request's `x-client-request-id` header */
  requestId: string | null;
  protocol: Protocol;
  operation: Operation;
  model: string;
  stream: boolean;
  promptTokens: number;
  /** parts of `promptTokens`, as is `cacheWriteTokens`; no token is in both */
  cachedTokens: number;
  cacheWriteTokens: number;
  /** generated and handed to the socket; a body that was not streamed counts whole or not at all */
  completionTokens: number;
  /** part of `completionTokens` */
  reasoningTokens: number;
  /** handed to the socket, without head and transfer encoding */
  bodyBytes: number;
  /** the frames of a stream as they were handed to the socket: events, lines or elements */
  frames: FrameRun[];
  outcome: Outcome;
  /** milliseconds since the epoch, as is `endedAt` */
  startedAt: number;
  endedAt: number;
}

export interface SandboxJournal {
  /** the newest entries, oldest first */
  entries(): JournalEntry[];
  /** forgets the entries; sequences go on */
  clear(): void;
  /** the first kept entry that matches, waited for when there is none yet */
  waitFor(matches: (entry: JournalEntry) => boolean): Promise<JournalEntry>;
}

/** The tokens that a client has got who received this many frames of a stream. */
export function tokensWithin({ frames }: JournalEntry, frameCount: number): number {
  let left = frameCount;
  let tokens = 0;
  for (const { count, tokensEach } of frames) {
    const received = Math.min(count, left);
    tokens += received * tokensEach;
    left -= received;
  }
  return tokens;
}

export type WritableJournal = SandboxJournal & { append(entry: Omit<JournalEntry, 'sequence'>): void };

interface Waiter {
  matches: (entry: JournalEntry) => boolean;
  resolve: (entry: JournalEntry) => void;
}

/** Keeps the newest `capacity` entries, so a sandbox that runs for months holds no more than that in memory. */
export function createJournal(capacity = 200_000): WritableJournal {
  let ring: JournalEntry[] = [];
  let oldest = 0;
  let sequence = 0;
  const waiters = new Set<Waiter>();
  const entries = () => [...ring.slice(oldest), ...ring.slice(0, oldest)];

  return {
    entries,
    clear() {
      ring = [];
      oldest = 0;
    },
    waitFor(matches) {
      const known = entries().find(matches);
      if (known) return Promise.resolve(known);
      return new Promise((resolve) => waiters.add({ matches, resolve }));
    },
    append(fields) {
      const entry = { sequence: ++sequence, ...fields };
      if (ring.length < capacity) {
        ring.push(entry);
      } else {
        ring[oldest] = entry;
        oldest = (oldest + 1) % capacity;
      }
      for (const waiter of waiters) {
        if (!waiter.matches(entry)) continue;
        waiters.delete(waiter);
        waiter.resolve(entry);
      }
    },
  };
}
