import type { StreamEvent } from '#protocols/canonical/stream-event.ts';
import type { Usage } from '#protocols/canonical/usage.ts';
import type { WrittenOutput } from '../exchange.ts';

/** Maximum characters kept of a streamed response for its row, and of other output for counting tokens. */
const keptCharactersMax = 64 * 1024;

/** Facts collected from a stream while it passes. */
export class StreamProgress {
  /** The model's text, truncated to what a row keeps. */
  text = '';
  usage: Usage | null = null;
  error: Extract<StreamEvent, { type: 'error' }> | null = null;
  /** Whether the end marker has come. */
  hasEnded = false;
  /** Reasoning, refusals and tool calls, truncated like the text. */
  #otherText = '';
  #characters = 0;
  #reasoningCharacters = 0;
  #hasReasoned = false;
  #firstWordAtMs: number | null = null;
  readonly #seen = new Set<number>();
  readonly #finished = new Set<number>();

  /** Whether the end marker has come or all choices have finished. */
  get isWhole(): boolean {
    return this.hasEnded || (this.#seen.size > 0 && this.#finished.size === this.#seen.size);
  }

  /** Usage reported by the provider: final once the stream is complete, otherwise so far. */
  get reported(): { usage: Usage | null; usageSource: 'provider' | 'partial' | 'none' } {
    const { usage } = this;
    if (usage === null) return { usage, usageSource: 'none' };
    return { usage, usageSource: this.isWhole && this.error === null ? 'provider' : 'partial' };
  }

  get written(): WrittenOutput {
    const kept = this.text.length + this.#otherText.length;
    return {
      texts: [this.text, this.#otherText].filter((text) => text !== ''),
      scale: kept === 0 ? 1 : this.#characters / kept,
      reasoning: !this.#hasReasoned ? 'none' : this.#reasoningCharacters > 0 ? 'visible' : 'hidden',
      firstWordAtMs: this.#firstWordAtMs,
    };
  }

  /** Records the meaning of one provider event. */
  record(events: readonly StreamEvent[]): void {
    for (const event of events) this.#recordOne(event);
  }

  #recordOne(event: StreamEvent): void {
    if ('choice' in event) this.#seen.add(event.choice);
    switch (event.type) {
      case 'text-delta':
        if (this.text.length < keptCharactersMax) this.text += event.text;
        this.#countWord(event.text);
        break;
      case 'refusal-delta':
        this.#keepOther(event.text);
        this.#countWord(event.text);
        break;
      case 'tool-input-start':
        this.#keepOther(event.name);
        this.#countWord(event.name);
        break;
      case 'tool-input-delta':
        this.#keepOther(event.json);
        this.#countWord(event.json);
        break;
      case 'reasoning-start':
        this.#hasReasoned = true;
        break;
      case 'reasoning-delta':
        this.#hasReasoned = true;
        this.#keepOther(event.text);
        this.#characters += event.text.length;
        this.#reasoningCharacters += event.text.length;
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

  #keepOther(text: string): void {
    if (this.#otherText.length < keptCharactersMax) this.#otherText += text;
  }

  #countWord(text: string): void {
    this.#characters += text.length;
    if (text !== '') this.#firstWordAtMs ??= performance.now();
  }
}
