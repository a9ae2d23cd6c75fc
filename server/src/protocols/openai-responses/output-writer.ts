import type { AssistantPart, ImagePart, Signature, ToolCallPart } from '../canonical/content.ts';
import type { Finish } from '../canonical/response.ts';
import type { StreamEvent } from '../canonical/stream-event.ts';
import { describeImage } from '../translation/answer-images.ts';
import {
  type OpenCall,
  type OpenMessage,
  type OpenReasoning,
  openCustomCall,
  openFunctionCall,
  openMessage,
  openReasoning,
  type Place,
  type SendEvent,
  writeImage,
} from './open-items.ts';

export interface Output {
  /** Combined with an item's index to create the item's id. */
  readonly requestId: string;
  readonly sendEvent: SendEvent;
  readonly items: object[];
  open: OpenMessage | OpenReasoning | OpenCall | null;
  isRedacted: boolean;
  refusal: string;
  /** Total base64 characters of all images. A stream keeps the images in memory because its last event repeats them. */
  imageCharacters: number;
}

const imageCharactersMax = 32 * 1024 * 1024;

export function createOutput(facts: Pick<Output, 'requestId' | 'sendEvent'>): Output {
  return { ...facts, items: [], open: null, isRedacted: false, refusal: '', imageCharacters: 0 };
}

export type PieceEvent = Exclude<Extract<StreamEvent, { readonly choice: number }>, { type: 'finish' }>;

/** Items start with their first content, so that no item is empty. */
export function writePiece(output: Output, event: PieceEvent): void {
  switch (event.type) {
    case 'text-delta':
      if (event.text !== '') inMessage(output).addText(event.text);
      break;
    case 'text-end':
      if (output.open?.kind === 'message') output.open.endText();
      break;
    case 'reasoning-start':
      close(output);
      output.isRedacted = event.isRedacted;
      break;
    case 'reasoning-delta':
      if (event.text !== '') inReasoning(output).addText(event.text);
      break;
    case 'reasoning-end':
      endReasoning(output, event.signature);
      break;
    case 'tool-input-start':
      beginCall(output, event);
      break;
    case 'tool-input-delta':
      if (output.open?.kind === 'call') output.open.addJson(event.json);
      break;
    case 'tool-input-end':
      endCall(output, event.signature);
      break;
    case 'image':
      addImage(output, event.image);
      break;
    case 'refusal-delta':
      output.refusal += event.text;
  }
}

/** A refusal is written last. */
export function finishOutput(output: Output, { reason }: Finish): void {
  if (output.refusal !== '') inMessage(output).addRefusal(output.refusal);
  close(output, reason === 'length' || reason === 'content-filter' ? 'incomplete' : 'completed');
}

export function writeWhole(output: Output, parts: readonly AssistantPart[], finish: Finish): void {
  for (const [block, part] of parts.entries())
    for (const event of sendPart(part, { choice: 0, block })) writePiece(output, event);
  finishOutput(output, finish);
}

function sendPart(
  part: AssistantPart,
  at: { readonly choice: number; readonly block: number },
): PieceEvent[] {
  switch (part.type) {
    case 'text':
      return [
        { type: 'text-delta', ...at, text: part.text },
        { type: 'text-end', ...at },
      ];
    case 'reasoning':
      return [
        { type: 'reasoning-start', ...at, isRedacted: part.isRedacted },
        { type: 'reasoning-delta', ...at, text: part.text },
        { type: 'reasoning-end', ...at, ...(part.signature && { signature: part.signature }) },
      ];
    case 'tool-call':
      return [
        { ...part, type: 'tool-input-start', ...at },
        { type: 'tool-input-delta', ...at, json: part.arguments },
        { type: 'tool-input-end', ...at, ...(part.signature && { signature: part.signature }) },
      ];
    case 'image':
      return [{ type: 'image', ...at, image: part }];
    case 'refusal':
      return [{ type: 'refusal-delta', choice: at.choice, text: part.text }];
  }
}

function inMessage(output: Output): OpenMessage {
  if (output.open?.kind === 'message') return output.open;
  const message = openMessage(findPlace(output, 'msg'), output.sendEvent);
  output.open = message;
  return message;
}

function inReasoning(output: Output): OpenReasoning {
  if (output.open?.kind === 'reasoning') return output.open;
  const reasoning = openReasoning(findPlace(output, 'rs'), output.sendEvent);
  output.open = reasoning;
  return reasoning;
}

/** Adds an image as an item, or as a text if the image is a URL or exceeds the limit. */
function addImage(output: Output, image: ImagePart): void {
  const { source, signature } = image;
  close(output);
  if (source.kind === 'data') output.imageCharacters += source.base64.length;
  if (source.kind !== 'data' || output.imageCharacters > imageCharactersMax) {
    inMessage(output).addText(describeImage(image));
    close(output);
    return;
  }
  const item = writeImage(source, findPlace(output, 'ig'), output.sendEvent);
  output.sendEvent('response.output_item.done', { output_index: output.items.length, item });
  output.items.push(item);
  if (signature) signItem(output, signature);
}

function beginCall(output: Output, call: Omit<ToolCallPart, 'type' | 'arguments'>): void {
  output.open = call.isFreeform
    ? openCustomCall(call, findPlace(output, 'ctc'), output.sendEvent)
    : openFunctionCall(call, findPlace(output, 'fc'), output.sendEvent);
}

/** In a later request, OpenAI rejects an id without the prefix of its type. */
function findPlace(output: Output, prefix: 'msg' | 'rs' | 'fc' | 'ctc' | 'ig'): Place {
  close(output);
  const index = output.items.length;
  return { output_index: index, item_id: `${prefix}_${output.requestId}_${index}` };
}

function endReasoning(output: Output, signature: Signature | undefined): void {
  if (signature) inReasoning(output).sign(signature, output.isRedacted ? 'redacted' : 'reasoning');
  if (output.open?.kind === 'reasoning') close(output);
}

function endCall(output: Output, signature: Signature | undefined): void {
  close(output);
  if (signature) signItem(output, signature);
}

// Adds a signature as a separate reasoning item, because calls and images have no signature field.
function signItem(output: Output, signature: Signature): void {
  inReasoning(output).sign(signature, 'call');
  close(output);
}

function close(output: Output, status = 'completed'): void {
  if (!output.open) return;
  const item = output.open.close(status);
  output.open = null;
  output.sendEvent('response.output_item.done', { output_index: output.items.length, item });
  output.items.push(item);
}
