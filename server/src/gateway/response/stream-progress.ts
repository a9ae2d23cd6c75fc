import { appendText } from '#platform/append-text.ts';
import { type AnswerFailure, type Finish, failureOf } from '#protocols/canonical/response.ts';
import type { StreamEvent } from '#protocols/canonical/stream-event.ts';
import type { Usage } from '#protocols/canonical/usage.ts';
import { nameImage } from '#protocols/translation/answer-images.ts';
import type { WrittenOutput } from '../exchange.ts';

/** Memory per event that a decoder or an encoder keeps, in addition to the event's text. */
const keptEventBytes = 64;
/** Memory per open choice, text, call or image, in addition to the content of its event. */
const openedBytes = 512;

/**
 * Maximum number of characters kept from a streamed response for the row, and from other output for counting tokens.
 */
const keptCharactersMax = 64 * 1024;

/** Events that open or close a part of the response. Decoders and encoders keep these events. */
const opening: ReadonlySet<StreamEvent['type']> = new Set([
  'start',
  'text-start',
  'reasoning-start',
  'reasoning-end',
  'tool-input-start',
  'tool-input-end',
  'image',
  'finish',
]);

export class StreamProgress {
  text = '';
  imageCount = 0;
  usage: Usage | null = null;
  error: AnswerFailure | null = null;
  hasEnded = false;
  /** Memory that decoders and encoders may use for everything except the text, in bytes. */
  keptBytes = 0;
  /** Memory that an encoder may use for the text, in bytes. */
  keptTextBytes = 0;
  #otherText = '';
  #characters = 0;
  #reasoningCharacters = 0;
  #hasReasoned = false;
  #firstWordAtMs: number | null = null;
  /** Whether the last usage arrived together with an error, in which case no other usage can follow. */
  #isUsageFinal = false;
  readonly #seen = new Set<number>();
  readonly #finishes = new Map<number, Finish>();

  get isWhole(): boolean {
    return this.hasEnded || (this.#seen.size > 0 && this.#finishes.size === this.#seen.size);
  }

  get failure(): AnswerFailure | null {
    if (this.error) return this.error;
    const [first, ...others] = this.#finishes.values();
    if (first?.reason !== 'error' || this.#finishes.size < this.#seen.size) return null;
    return others.every(({ reason }) => reason === 'error') ? failureOf(first) : null;
  }

  /** Whether the provider reported an error without previous output or usage, in which case nothing is billed. */
  get hasOnlyFailed(): boolean {
    return this.failure !== null && this.usage === null && !this.#hasReasoned && this.#firstWordAtMs === null;
  }

  /** Usage reported by the provider: final once the stream is complete, otherwise the latest report so far. */
  get reported(): { usage: Usage | null; usageSource: 'provider' | 'partial' | 'none' } {
    const { usage } = this;
    if (usage === null) return { usage, usageSource: 'none' };
    const isFinal = this.error === null ? this.isWhole : this.#isUsageFinal;
    return { usage, usageSource: isFinal ? 'provider' : 'partial' };
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

  /** `wireLength` is the length of the provider event's data. */
  record(events: readonly StreamEvent[], wireLength = 0): void {
    if (this.error) return;
    let openedCount = 0;
    for (const event of events) {
      this.#recordOne(event);
      if (opening.has(event.type)) openedCount++;
    }
    this.#isUsageFinal = this.error !== null && events.some(({ type }) => type === 'usage');
    // A decoder may buffer events that are meaningless on their own.
    if (events.length === 0) this.keptBytes += wireLength + keptEventBytes;
    else if (openedCount > 0) this.keptBytes += wireLength + openedCount * openedBytes;
  }

  #recordOne(event: StreamEvent): void {
    if ('choice' in event) this.#seen.add(event.choice);
    switch (event.type) {
      case 'text-delta':
        this.text = appendText(this.text, event.text, keptCharactersMax);
        this.keptTextBytes += event.text.length + keptEventBytes;
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
      case 'image':
        this.imageCount++;
        this.#firstWordAtMs ??= performance.now();
        this.text = appendText(this.text, nameImage(event.image), keptCharactersMax);
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
        this.#finishes.set(event.choice, event.finish);
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
    this.#otherText = appendText(this.#otherText, text, keptCharactersMax);
    this.keptBytes += text.length + keptEventBytes;
  }

  #countWord(text: string): void {
    this.#characters += text.length;
    if (text !== '') this.#firstWordAtMs ??= performance.now();
  }
}
