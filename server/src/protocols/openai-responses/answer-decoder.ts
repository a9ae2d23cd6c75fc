import { isObject, readText } from '#json/json-value.ts';
import type { StreamEvent } from '../canonical/stream-event.ts';
import { readUnixSeconds } from '../translation/unix-seconds.ts';
import { createItemReader, guessItemType, type ItemReader, isPiece, readPiece } from './item-reader.ts';
import type { WireItem, WireResponse, WireStreamEvent } from './wire.ts';

export interface AnswerDecoder {
  read(event: WireStreamEvent): StreamEvent[];
  hasCalls(): boolean;
  hasItems(): boolean;
  close(): StreamEvent[];
}

/** Index of an item in the output, or the item's id if there is no index. */
type Key = number | string;

interface State {
  /** Distinguishes this response from all others, for calls that arrive without an id. */
  readonly seed: () => string;
  events: StreamEvent[];
  blockCount: number;
  itemCount: number;
  hasCalls: boolean;
  active: { readonly key: Key; readonly reader: ItemReader } | null;
  /** Events of items that started before the active item ended. Only one block is open at a time. */
  readonly waiting: Map<Key, WireStreamEvent[]>;
  readonly doneIds: Set<string>;
}

export function createAnswerDecoder(seed: () => string): AnswerDecoder {
  const state: State = {
    seed,
    events: [],
    blockCount: 0,
    itemCount: 0,
    hasCalls: false,
    active: null,
    waiting: new Map(),
    doneIds: new Set(),
  };
  return {
    hasCalls: () => state.hasCalls,
    hasItems: () => state.itemCount > 0,
    read(event) {
      state.events = [];
      readEvent(state, event);
      return state.events;
    },
    close() {
      state.events = [];
      do {
        end(state);
        readWaiting(state);
      } while (state.active);
      return state.events;
    },
  };
}

export function readAnswerStart({
  id,
  model,
  created_at,
}: WireResponse): Extract<StreamEvent, { type: 'start' }> {
  return {
    type: 'start',
    id: readText(id) || null,
    model: readText(model) || null,
    createdAtSeconds: readUnixSeconds(created_at),
  };
}

export function readOutput({ output }: WireResponse, answer: AnswerDecoder): StreamEvent[] {
  const items: readonly unknown[] = Array.isArray(output) ? output : [];
  return items.flatMap((item, index) =>
    ['response.output_item.added', 'response.output_item.done'].flatMap((type) =>
      answer.read({ type, output_index: index, item }),
    ),
  );
}

function readEvent(state: State, event: WireStreamEvent): void {
  if (!isObject(event.item) && !isPiece(event)) return;
  const isLate = event.type !== 'response.output_item.added' && state.doneIds.has(readItemId(event));
  if (isLate) return;
  const { active, waiting } = state;
  const key = readKey(event) ?? active?.key ?? state.itemCount;
  if (active === null || active.key === key) {
    readActive(state, event, key);
    readWaiting(state);
  } else {
    const held = waiting.get(key);
    if (held) held.push(event);
    else waiting.set(key, [event]);
  }
}

function readKey(event: WireStreamEvent): Key | null {
  if (typeof event.output_index === 'number') return event.output_index;
  return readItemId(event) || null;
}

function readItemId({ item_id, item }: WireStreamEvent): string {
  const whole: WireItem = isObject(item) ? item : {};
  return readText(item_id) || readText(whole.id);
}

/** Processes waiting items until the first incomplete one. */
function readWaiting(state: State): void {
  while (state.active === null) {
    const [next] = state.waiting;
    if (!next) return;
    const [key, held] = next;
    state.waiting.delete(key);
    for (const event of held) readActive(state, event, key);
  }
}

function readActive(state: State, event: WireStreamEvent, key: Key): void {
  const item: WireItem | null = isObject(event.item) ? event.item : null;
  if (event.type === 'response.output_item.added' && item) {
    end(state);
    begin(state, key, item);
    state.doneIds.delete(readText(item.id));
  } else if (event.type === 'response.output_item.done' && item) {
    const reader = state.active?.reader ?? begin(state, key, item);
    reader.complete(item);
    end(state, item);
    const id = readText(item.id);
    if (id !== '') state.doneIds.add(id);
  } else {
    readLoosePiece(state, event, key);
  }
}

// Reads a delta of an item whose start event the provider omitted. The delta determines the item type.
function readLoosePiece(state: State, event: WireStreamEvent, key: Key): void {
  const piece = readPiece(event);
  if (!piece) return;
  const type = guessItemType(piece);
  const reader = state.active?.reader ?? (type === null ? null : begin(state, key, { type }));
  reader?.add(piece);
}

function begin(state: State, key: Key, item: WireItem): ItemReader {
  const reader = createItemReader(item, `${state.seed()}/${state.itemCount++}`, {
    begin: () => state.blockCount++,
    emit: (event) => state.events.push(event),
  });
  state.hasCalls ||= reader.isCall;
  state.active = { key, reader };
  return reader;
}

function end(state: State, item?: WireItem): void {
  state.active?.reader.close(item);
  state.active = null;
}
