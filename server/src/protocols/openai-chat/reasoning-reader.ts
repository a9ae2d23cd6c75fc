import { readText } from '../json/json-value.ts';
import { quickParse } from '../json/quick-check.ts';
import type { BlockWriter, ReasoningBlock } from '../translation/block-writer.ts';
import { isEncrypted, keepDetail } from './reasoning.ts';
import { type ReasoningDetail, reasoningDetail, type WireMessage } from './wire.ts';

interface Thought extends ReasoningBlock {
  /** The entry of `reasoning_details` that it comes from, as far as that has come. */
  detail?: ReasoningDetail;
}

/** Reads reasoning from whichever of its fields a provider uses; the one with the proofs holds the text as well. */
export function readReasoning(
  { reasoning_details: details, reasoning_content, reasoning }: WireMessage,
  writer: BlockWriter,
): void {
  const entries: readonly unknown[] = Array.isArray(details) ? details : [];
  if (entries.length === 0) growThought(readText(reasoning_content) || readText(reasoning), writer);
  for (const entry of entries) {
    const { data } = quickParse(reasoningDetail, entry);
    if (data) readDetail(data, writer);
  }
}

/** Takes a thought that comes without any proof. */
export function growThought(text: string, writer: BlockWriter): void {
  if (text === '') return;
  const block = latestThought(writer);
  writer.grow(block && !block.detail ? block : beginThought(writer, false), text);
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

/** Whether an entry goes on with the one before: an encrypted one is whole, and a signature ends a text. */
function continues(before: ReasoningDetail, detail: ReasoningDetail): boolean {
  if (isEncrypted(detail.type) || before.type !== detail.type || before.index !== detail.index) return false;
  return before.signature == null || (detail.text ?? '') === '';
}

/** Whether an entry is the proof of a thought that has been told already, as we tell it ourselves. */
function proves(detail: ReasoningDetail, text: string, told: Thought): boolean {
  return !isEncrypted(detail.type) && (text === '' || text === told.text);
}
