import type { ReasoningField } from '../canonical/request.ts';
import { readText } from '../json/json-value.ts';
import { quickParse } from '../json/quick-check.ts';
import type { BlockWriter, ReasoningBlock } from '../translation/block-writer.ts';
import { signField } from '../translation/reasoning-field.ts';
import { isEncrypted, keepDetail } from './reasoning.ts';
import { type ReasoningDetail, reasoningDetail, type WireMessage } from './wire.ts';

interface Thought extends ReasoningBlock {
  /** The entry of `reasoning_details` that it comes from, as received so far. */
  detail?: ReasoningDetail;
}

/** Reads reasoning from the fields that a provider uses; the one with signatures contains the text too. */
export function readReasoning(
  { reasoning_details: details, reasoning_content, reasoning }: WireMessage,
  writer: BlockWriter,
): void {
  const entries: readonly unknown[] = Array.isArray(details) ? details : [];
  if (entries.length === 0) {
    const field = readText(reasoning_content) === '' ? 'reasoning' : 'reasoning_content';
    growThought(field === 'reasoning' ? readText(reasoning) : readText(reasoning_content), field, writer);
  }
  for (const entry of entries) {
    const { data } = quickParse(reasoningDetail, entry);
    if (data) readDetail(data, writer);
  }
}

/** Appends reasoning that comes without a signature, under this field. */
export function growThought(text: string, field: ReasoningField, writer: BlockWriter): void {
  if (text === '') return;
  const latest = latestThought(writer);
  const block = latest && !latest.detail ? latest : beginThought(writer, false);
  block.signature ??= signField(field);
  writer.grow(block, text);
}

function readDetail(detail: ReasoningDetail, writer: BlockWriter): void {
  const text = detail.text ?? detail.summary ?? '';
  const latest = latestThought(writer);
  const isProof = latest !== null && !latest.detail && proves(detail, text, latest);
  const isContinued = latest?.detail !== undefined && continues(latest.detail, detail);
  const block = latest && (isProof || isContinued) ? latest : beginThought(writer, isEncrypted(detail.type));
  block.detail = { ...block.detail, ...detail };
  block.signature = keepDetail(block.detail);
  if (!isProof) writer.grow(block, text);
}

function latestThought(writer: BlockWriter): Thought | null {
  const block = writer.latest();
  return block?.kind === 'reasoning' ? block : null;
}

function beginThought(writer: BlockWriter, isRedacted: boolean): Thought {
  const block: Thought = { kind: 'reasoning', text: '', isRedacted };
  writer.begin(block);
  return block;
}

/** Whether an entry continues the previous one: an encrypted one is complete, and a signature ends a text. */
function continues(before: ReasoningDetail, detail: ReasoningDetail): boolean {
  if (isEncrypted(detail.type) || before.type !== detail.type || before.index !== detail.index) return false;
  return before.signature == null || (detail.text ?? '') === '';
}

/** Whether an entry is the signature of reasoning that was already sent, in the way the gateway itself sends it. */
function proves(detail: ReasoningDetail, text: string, told: Thought): boolean {
  return !isEncrypted(detail.type) && (text === '' || text === told.text);
}
