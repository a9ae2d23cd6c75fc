import type { Steps } from '#platform/steps.ts';

const stepWeight = 64 * 1024;
const valueWeight = 16;
/** Worst case, measured on text that consists only of quotes, all of which are escaped. */
const microsPerWeight = 0.015;

/** Encodes like `JSON.stringify`, in UTF-8. Large values and long strings are encoded in several steps. */
export function* encodeJson(value: object): Steps<Buffer> {
  const weight = weigh(value);
  if (weight <= stepWeight) {
    yield weight * microsPerWeight;
    return Buffer.from(JSON.stringify(value));
  }
  const encoder = new JsonEncoder();
  yield* encoder.write(value);
  return encoder.join();
}

/** Counting stops once the weight exceeds `stepWeight`. */
function weigh(value: unknown): number {
  if (typeof value === 'string') return valueWeight + value.length;
  if (typeof value !== 'object' || value === null) return valueWeight;
  let weight = valueWeight;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && weight <= stepWeight; index++) weight += weigh(value[index]);
    return weight;
  }
  for (const [name, held] of Object.entries(value)) {
    if (weight > stepWeight) break;
    weight += name.length + weigh(held);
  }
  return weight;
}

class JsonEncoder {
  readonly #encoded: Buffer[] = [];
  #text = '';
  #weight = 0;

  *write(value: unknown): Steps<void> {
    const weight = weigh(value);
    if (weight <= stepWeight) yield* this.#add(JSON.stringify(value) ?? 'null', weight);
    else if (typeof value === 'string') yield* this.#writeText(value);
    else if (Array.isArray(value)) yield* this.#writeList(value);
    else if (typeof value === 'object' && value !== null) yield* this.#writeFields(value);
  }

  join(): Buffer {
    this.#flush();
    return Buffer.concat(this.#encoded);
  }

  *#writeList(list: readonly unknown[]): Steps<void> {
    this.#text += '[';
    for (let index = 0; index < list.length; index++) {
      if (index > 0) this.#text += ',';
      yield* this.write(list[index]);
    }
    this.#text += ']';
  }

  *#writeFields(value: object): Steps<void> {
    let before = '{';
    for (const [name, held] of Object.entries(value)) {
      if (held === undefined) continue;
      this.#text += before;
      yield* this.write(name);
      this.#text += ':';
      yield* this.write(held);
      before = ',';
    }
    this.#text += before === '{' ? '{}' : '}';
  }

  *#writeText(text: string): Steps<void> {
    this.#text += '"';
    for (let start = 0; start < text.length; ) {
      const end = findCut(text, start + stepWeight);
      yield* this.#add(JSON.stringify(text.slice(start, end)).slice(1, -1), end - start);
      start = end;
    }
    this.#text += '"';
  }

  *#add(text: string, weight: number): Steps<void> {
    this.#text += text;
    this.#weight += weight;
    if (this.#weight < stepWeight) return;
    this.#flush();
    yield stepWeight * microsPerWeight;
  }

  #flush(): void {
    this.#encoded.push(Buffer.from(this.#text));
    this.#text = '';
    this.#weight = 0;
  }
}

/**
 * Returns where to cut a text without splitting a surrogate pair: `JSON.stringify` escapes each half of a split pair.
 */
function findCut(text: string, latest: number): number {
  const unit = text.charCodeAt(latest);
  return unit >= 0xdc00 && unit < 0xe000 ? latest - 1 : Math.min(latest, text.length);
}
