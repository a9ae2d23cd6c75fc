import { isObject, readText } from '#json/json-value.ts';
import type { StreamEvent } from '../canonical/stream-event.ts';
import { readAnswerImage } from '../translation/answer-images.ts';
import { freeformInput } from '../translation/freeform-tool.ts';
import { makeCallId } from '../translation/tool-names.ts';
import type { WireItem, WireStreamEvent } from './wire.ts';

type PartKind = 'text' | 'refusal' | 'thought' | 'summary' | 'arguments' | 'input';

interface Piece {
  readonly part: PartKind;
  /** Index among several parts of the same kind in the item. */
  readonly index: number;
  readonly text: string;
  /** Whether the piece is the complete part instead of a delta. */
  readonly isWhole: boolean;
}

type PieceField = 'delta' | 'text' | 'refusal' | 'arguments' | 'input';

const pieceFields: Readonly<Record<string, readonly [part: PartKind, field: PieceField]>> = {
  'response.output_text.delta': ['text', 'delta'],
  'response.output_text.done': ['text', 'text'],
  'response.refusal.delta': ['refusal', 'delta'],
  'response.refusal.done': ['refusal', 'refusal'],
  'response.reasoning_text.delta': ['thought', 'delta'],
  'response.reasoning_text.done': ['thought', 'text'],
  'response.reasoning_summary_text.delta': ['summary', 'delta'],
  'response.reasoning_summary_text.done': ['summary', 'text'],
  'response.function_call_arguments.delta': ['arguments', 'delta'],
  'response.function_call_arguments.done': ['arguments', 'arguments'],
  'response.custom_tool_call_input.delta': ['input', 'delta'],
  'response.custom_tool_call_input.done': ['input', 'input'],
};

export function isPiece({ type }: WireStreamEvent): boolean {
  return typeof type === 'string' && Object.hasOwn(pieceFields, type);
}

/** Returns `null` for unknown kinds of content. */
export function readPiece(event: WireStreamEvent): Piece | null {
  const known = isPiece(event) ? pieceFields[readText(event.type)] : undefined;
  if (!known) return null;
  const [part, field] = known;
  const index = part === 'summary' ? event.summary_index : event.content_index;
  return {
    part,
    index: typeof index === 'number' ? index : 0,
    text: readText(event[field]),
    isWhole: field !== 'delta',
  };
}

const partsByType: Readonly<Record<string, readonly PartKind[]>> = {
  message: ['text', 'refusal'],
  reasoning: ['thought', 'summary'],
  function_call: ['arguments'],
  custom_tool_call: ['input'],
};

/** Infers the item type from a delta, for providers that omit the item's start event. */
export function guessItemType({ part }: Piece): string | null {
  if (part === 'text' || part === 'refusal') return 'message';
  return part === 'thought' || part === 'summary' ? 'reasoning' : null;
}

export interface ItemReader {
  readonly isCall: boolean;
  add(piece: Piece): void;
  /** Adds the content of the complete item that was not streamed. */
  complete(item: WireItem): void;
  /** Ends the item. If `item` is absent, the signature of its reasoning is unknown. */
  close(item?: WireItem): void;
}

export interface BlockEvents {
  begin(): number;
  emit(event: StreamEvent): void;
}

export function createItemReader(item: WireItem, seed: string, events: BlockEvents): ItemReader {
  const type = readText(item.type);
  const taken = (Object.hasOwn(partsByType, type) && partsByType[type]) || [];
  /** Number of characters emitted, by part. */
  const told = new Map<string, number>();
  const writer = createWriter(type, item, seed, events);
  const add = ({ part, index, text, isWhole }: Piece) => {
    if (!taken.includes(part)) return;
    const key = `${part}/${index}`;
    const before = told.get(key) ?? 0;
    const news = isWhole ? text.slice(before) : text;
    if (news === '') return;
    told.set(key, before + news.length);
    writer.write(part, index, news);
  };
  return {
    isCall: type === 'function_call' || type === 'custom_tool_call',
    add,
    complete: (whole) => listPieces(whole).forEach(add),
    close: (whole) => writer.close(whole ?? {}),
  };
}

function listPieces({ content, summary, arguments: json, input }: WireItem): Piece[] {
  return [
    ...listTexts(content).map(({ type, text, refusal }, index): Piece => {
      if (type === 'refusal') return { part: 'refusal', index, text: readText(refusal), isWhole: true };
      const part = type === 'reasoning_text' ? 'thought' : 'text';
      return { part, index, text: readText(text), isWhole: true };
    }),
    ...listTexts(summary).map(
      ({ text }, index): Piece => ({ part: 'summary', index, text: readText(text), isWhole: true }),
    ),
    {
      part: 'arguments',
      index: 0,
      text: isObject(json) ? JSON.stringify(json) : readText(json),
      isWhole: true,
    },
    { part: 'input', index: 0, text: readText(input), isWhole: true },
  ];
}

interface WireText {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly refusal?: unknown;
}

function listTexts(value: unknown): WireText[] {
  return Array.isArray(value) ? value.map((entry: unknown): WireText => (isObject(entry) ? entry : {})) : [];
}

interface Writer {
  write(part: PartKind, index: number, text: string): void;
  close(item: WireItem): void;
}

function createWriter(type: string, item: WireItem, seed: string, events: BlockEvents): Writer {
  switch (type) {
    case 'message':
      return createMessageWriter(events);
    case 'reasoning':
      return createReasoningWriter(events);
    case 'function_call':
    case 'custom_tool_call':
      return createCallWriter(type, item, seed, events);
    case 'image_generation_call':
      return createImageWriter(events);
    default:
      return { write() {}, close() {} };
  }
}

/** Each text of a message becomes a separate block, which starts with the text's first characters. */
function createMessageWriter({ begin, emit }: BlockEvents): Writer {
  let open: { readonly index: number; readonly block: number } | null = null;
  const close = () => {
    if (open) emit({ type: 'text-end', choice: 0, block: open.block });
    open = null;
  };
  return {
    write(part, index, text) {
      if (part === 'refusal') {
        emit({ type: 'refusal-delta', choice: 0, text });
        return;
      }
      if (open?.index !== index) {
        close();
        open = { index, block: begin() };
        emit({ type: 'text-start', choice: 0, block: open.block });
      }
      emit({ type: 'text-delta', choice: 0, block: open.block, text });
    },
    close,
  };
}

/** Reasoning is a single block, from the item's text or from its summary, depending on which arrives first. */
function createReasoningWriter({ begin, emit }: BlockEvents): Writer {
  let chosen: PartKind | null = null;
  let last = 0;
  let block: number | null = null;
  const start = (isRedacted: boolean) => {
    block = begin();
    emit({ type: 'reasoning-start', choice: 0, block, isRedacted });
    return block;
  };
  return {
    write(part, index, text) {
      chosen ??= part;
      if (part !== chosen) return;
      const isNext = block !== null && index !== last;
      last = index;
      const at = { choice: 0, block: block ?? start(false) };
      emit({ type: 'reasoning-delta', ...at, text: isNext ? `\n\n${text}` : text });
    },
    close({ id, encrypted_content }) {
      const value = readText(encrypted_content);
      if (block === null && value === '') return;
      const at = { choice: 0, block: block ?? start(true) };
      const name = readText(id);
      const signature = {
        protocol: 'openai-responses' as const,
        value,
        ...(name !== '' && { id: name }),
      };
      emit({ type: 'reasoning-end', ...at, ...(value !== '' && { signature }) });
    },
  };
}

/** Emits the complete image at the end of the item. Earlier events contain only drafts. */
function createImageWriter({ begin, emit }: BlockEvents): Writer {
  return {
    write() {},
    close({ result }) {
      const base64 = readText(result);
      const image = base64 === '' ? null : readAnswerImage(`data:image/png;base64,${base64}`);
      if (image) emit({ type: 'image', choice: 0, block: begin(), image });
    },
  };
}

/** The free text of a custom tool becomes the only argument of a function. */
function createCallWriter(
  type: 'function_call' | 'custom_tool_call',
  { call_id, id, name }: WireItem,
  seed: string,
  { begin, emit }: BlockEvents,
): Writer {
  const block = begin();
  const at = { choice: 0, block };
  const callId = readText(call_id) || readText(id) || makeCallId(`${seed}/${block}`);
  emit({ type: 'tool-input-start', ...at, id: callId, name: readText(name) });
  const isFreeform = type === 'custom_tool_call';
  if (isFreeform) emit({ type: 'tool-input-delta', ...at, json: freeformInput.opening });
  return {
    write: (_part, _index, text) =>
      emit({ type: 'tool-input-delta', ...at, json: isFreeform ? freeformInput.escape(text) : text }),
    close() {
      if (isFreeform) emit({ type: 'tool-input-delta', ...at, json: freeformInput.closing });
      emit({ type: 'tool-input-end', ...at });
    },
  };
}
