import type { Dialect } from '../canonical/request.ts';
import { introduction } from '../translation/answer-images.ts';
import { makeCallId } from '../translation/tool-names.ts';
import { isForeignReasoning } from './reasoning.ts';

type Item = Readonly<Record<string, unknown>>;

/**
 * Removes reasoning of other models, turns their images into user messages and, for OpenAI, removes ids that OpenAI
 * would reject. Returns the same list if nothing changes.
 */
export function fitInput(items: readonly Item[], dialect: Dialect | undefined): readonly Item[] {
  const own = items.some((item) => isForeignReasoning(item, dialect))
    ? items.filter((item) => !isForeignReasoning(item, dialect))
    : items;
  const kept = own.some((item) => isForeignImage(item, dialect))
    ? own.map((item) => (isForeignImage(item, dialect) ? toUserMessage(item) : item))
    : own;
  if (dialect?.reasoningItems !== 'of-openai') return kept;
  const fitted = kept.map((item) => fitCallId(dropForeignId(item)));
  return fitted.some((item, index) => item !== kept[index]) ? fitted : kept;
}

/** Image ids that the gateway derives from a request id and the item's index. */
const ownImageId = /^ig_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}_\d+$/;

/** Returns whether an item is an image from another model with an id or item type that the vendor rejects. */
function isForeignImage({ type, id, result }: Item, dialect: Dialect | undefined): boolean {
  if (type !== 'image_generation_call' || typeof result !== 'string' || !dialect) return false;
  return dialect.reasoningItems !== 'of-openai' || ownImageId.test(String(id));
}

function toUserMessage({ result, output_format: format }: Item): Item {
  const url = `data:image/${typeof format === 'string' ? format : 'png'};base64,${String(result)}`;
  const content = [
    { type: 'input_text', text: introduction.text },
    { type: 'input_image', image_url: url },
  ];
  return { role: 'user', content };
}

/** OpenAI rejects ids that do not start with the prefix of the item's type. */
const prefixes: ReadonlyMap<unknown, string> = new Map([
  ['message', 'msg_'],
  ['reasoning', 'rs_'],
  ['function_call', 'fc_'],
  ['custom_tool_call', 'ctc_'],
]);
const itemIdLengthMax = 64;

function dropForeignId(item: Item): Item {
  const { id, ...rest } = item;
  const prefix = prefixes.get(item.type ?? 'message');
  if (typeof id !== 'string' || prefix === undefined) return item;
  const isReference = item.type == null && item.role == null;
  return isReference || (id.startsWith(prefix) && id.length <= itemIdLengthMax) ? item : rest;
}

export const callIdLengthMax = 64;

function fitCallId(item: Item): Item {
  const { call_id: id } = item;
  return typeof id === 'string' && id.length > callIdLengthMax ? { ...item, call_id: makeCallId(id) } : item;
}
