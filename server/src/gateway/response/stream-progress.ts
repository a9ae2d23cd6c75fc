import type { StreamEvent } from '#protocols/canonical/stream-event.ts';
import type { Usage } from '#protocols/canonical/usage.ts';

/** As much of a streamed answer as a log row keeps. */
const textCharactersMax = 64 * 1024;

const outputTypes: ReadonlySet<StreamEvent['type']> = new Set([
  'text-delta',
  'reasoning-delta',
  'tool-input-start',
  'tool-input-delta',
  'refusal-delta',
]);

const noUsage: Usage = {
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};

/** What the gate learns of a stream while it passes. */
export class StreamProgress {
  /** What the model has written, cut to what a log row keeps. */
  text = '';
  /** How many events carried output: what is charged where the provider reports no tokens. */
  outputPieces = 0;
  usage: Usage | null = null;
  error: Extract<StreamEvent, { type: 'error' }> | null = null;
  /** The end marker has come. */
  hasEnded = false;
  readonly #seen = new Set<number>();
  readonly #finished = new Set<number>();

  /** The end marker has come, or all choices have finished. */
  get isWhole(): boolean {
    return this.hasEnded || (this.#seen.size > 0 && this.#finished.size === this.#seen.size);
  }

  /**
   * What is charged. Some providers report at the start how little they have written so far: of a stream that did not
   * come to its end, what has come counts where it is more.
   */
  readUsage(): { usage: Usage; usageSource: 'provider' | 'partial' } {
    const { usage } = this;
    if (usage !== null && this.isWhole && this.error === null) return { usage, usageSource: 'provider' };
    const outputTokens = Math.max(usage?.outputTokens ?? 0, this.outputPieces);
    return { usage: { ...(usage ?? noUsage), outputTokens }, usageSource: 'partial' };
  }

  /** Takes what one event of the provider means. */
  record(events: readonly StreamEvent[]): void {
    for (const event of events) this.#recordOne(event);
    if (events.some(({ type }) => outputTypes.has(type))) this.outputPieces++;
  }

  #recordOne(event: StreamEvent): void {
    if ('choice' in event) this.#seen.add(event.choice);
    switch (event.type) {
      case 'text-delta':
        if (this.text.length < textCharactersMax) this.text += event.text;
        break;
      case 'usage':
        this.usage = event.usage;
        break;
      case 'finish':
        this.#finished.add(event.choice);
        break;
      case 'error':
        this.error ??= event;
        break;
      case 'end':
        this.hasEnded = true;
        break;
    }
  }
}
