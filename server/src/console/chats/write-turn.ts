import { randomUUIDv7 } from 'node:crypto';
import { chatImageLimits } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { ConsoleError, invalidField, notFound } from '#errors/console-error.ts';
import type { AskGateway } from '#http/ask-gateway.ts';
import type { IdempotentContext } from '#http/console-route.ts';
import { findBranch } from './branch.ts';
import { insertImages, type Picture, selectImageSizes, selectPictures } from './images-store.ts';
import { requireChat } from './read.ts';
import type { Turn } from './runs.ts';
import {
  type ChatRow,
  insertPendingAnswer,
  insertQuestion,
  type MessageRow,
  selectMessages,
  setLeaf,
  touchChat,
} from './store.ts';

export interface WholeChat {
  readonly chat: ChatRow;
  readonly rows: readonly MessageRow[];
}

/** @throws ConsoleError 404 if the chat does not belong to the user */
export async function readWholeChat(
  tx: TenantTransaction,
  author: Principal,
  id: string,
): Promise<WholeChat> {
  const chat = await requireChat(tx, author, id);
  return { chat, rows: await selectMessages(tx, author.tenantId, id) };
}

/** @throws ConsoleError 404 if the message is not in the chat or has another role */
export function requireMessage({ rows }: WholeChat, id: string, isUser: boolean): MessageRow {
  const row = rows.find((one) => one.id === id && one.isUser === isUser);
  if (!row) throw notFound('Message');
  return row;
}

/** User message of a turn. `isNew` is false if the message is already stored. */
export interface Question {
  readonly id: string;
  readonly parentId: string | null;
  readonly content: string;
  readonly isNew: boolean;
  readonly pictures: readonly Picture[];
}

export function readPictures({ readInTenant, principal }: IdempotentContext, messageId: string) {
  return readInTenant((tx) =>
    loadPictures(tx, principal.tenantId, [messageId], chatImageLimits.totalMaxBytes),
  );
}

/** @throws ConsoleError 409 while an answer in the chat is being written, 422 if the model does not accept images */
export async function writeTurn(
  ctx: IdempotentContext,
  { chat, rows }: WholeChat,
  question: Question,
  model: string | undefined,
): Promise<{ turn: Turn; isRepeated: boolean }> {
  const { inTenant, principal } = ctx;
  const { tenantId } = principal;
  const former = findBranch(rows, question.parentId ?? '');
  const lastModel = former.findLast(({ isUser }) => !isUser)?.model;
  const asked =
    model ?? lastModel ?? rows.findLast(({ isUser }) => !isUser)?.model ?? (await pickModel(ctx.askGateway));
  const pictures = await choosePictures(ctx, former, question, asked);
  const of = { tenantId, chatId: chat.id };
  const answerId = randomUUIDv7();
  const written = await inTenant(async (tx) => {
    const answer = { ...of, id: answerId, parentId: question.id, model: asked };
    if (!(await insertPendingAnswer(tx, answer))) throw beingWritten();
    if (question.isNew) {
      const { id, parentId, content } = question;
      await insertQuestion(tx, { ...of, id, parentId, content });
      await insertImages(tx, { tenantId, messageId: id }, question.pictures);
    }
    await touchChat(tx, tenantId, chat.id, toTitle(question.content));
    await setLeaf(tx, { ...of, leafId: answerId });
    return { answerId };
  });
  const messages = toModelMessages([...former, { ...question, isUser: true }], pictures);
  const task = chat.taskId === null ? {} : { task_id: chat.taskId };
  const turn = {
    chatId: chat.id,
    answerId: written.answerId,
    newIds: question.isNew ? [answerId, question.id] : [answerId],
    formerLeafId: chat.leafId,
    body: { model: asked, messages, ...task },
  };
  return { turn, isRepeated: written.answerId !== answerId };
}

export const beingWritten = () =>
  new ConsoleError(409, 'The previous response in this chat is still in progress.', 1);

async function choosePictures(
  { askGateway, readInTenant, principal }: IdempotentContext,
  former: readonly MessageRow[],
  question: Question,
  model: string,
): Promise<Map<string, readonly Picture[]>> {
  const pictures = new Map<string, readonly Picture[]>();
  const left =
    chatImageLimits.totalMaxBytes - question.pictures.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const ids = former.filter(({ isUser }) => isUser).map(({ id }) => id);
  const earlier = await readInTenant((tx) => loadPictures(tx, principal.tenantId, ids, left));
  if (question.pictures.length + earlier.length === 0) return pictures;
  const isTaken = await modelTakesImages(askGateway, model);
  if (!isTaken && question.pictures.length > 0) {
    throw invalidField(
      'images',
      `${model} may not accept images. Choose another model, or send the message without images.`,
    );
  }
  if (!isTaken) return pictures;
  for (const picture of earlier)
    pictures.set(picture.messageId, [...(pictures.get(picture.messageId) ?? []), picture]);
  return pictures.set(question.id, question.pictures);
}

async function loadPictures(
  tx: TenantTransaction,
  tenantId: number,
  messageIds: readonly string[],
  maxBytes: number,
) {
  if (messageIds.length === 0) return [];
  const sizes = await selectImageSizes(tx, tenantId, messageIds);
  let left = maxBytes;
  const fitting = sizes.toReversed().filter(({ size }) => {
    left -= size;
    return left >= 0;
  });
  return selectPictures(
    tx,
    tenantId,
    fitting.map(({ id }) => id),
  );
}

const titleMax = 60;

function toTitle(content: string): string {
  const [line = ''] = content.split('\n');
  const title = line.replace(/\s+/g, ' ').trim();
  return title.length <= titleMax ? title : `${title.slice(0, titleMax - 1).trimEnd()}…`;
}

/**
 * Also returns `true` for a model that the user may not use, because the gateway then rejects the request with the
 * reason.
 */
async function modelTakesImages(askGateway: AskGateway, model: string): Promise<boolean> {
  const path = `/api/v1/models/${encodeURIComponent(model)}`;
  const signal = AbortSignal.timeout(5_000);
  const response = await askGateway({ path, clientRequestId: randomUUIDv7(), signal });
  const found: { input_modalities?: readonly string[] } = JSON.parse(
    Buffer.concat(await response.toArray()).toString(),
  );
  return response.statusCode !== 200 || found.input_modalities?.includes('image') === true;
}

/** @throws ConsoleError 403 if the user may not use any text generation model */
async function pickModel(askGateway: AskGateway): Promise<string> {
  const clientRequestId = randomUUIDv7();
  const signal = AbortSignal.timeout(5_000);
  const response = await askGateway({ path: '/api/v1/models', clientRequestId, signal });
  const { data = [] }: Models = JSON.parse(Buffer.concat(await response.toArray()).toString());
  const model = data.find(({ output_modalities: modalities }) => modalities?.includes('text') !== false);
  if (!model)
    throw new ConsoleError(
      403,
      'You do not have access to any model yet. Ask your administrator for access.',
    );
  return model.id;
}

interface Models {
  readonly data?: readonly { readonly id: string; readonly output_modalities?: readonly string[] }[];
}

interface BranchMessage {
  readonly id: string;
  readonly isUser: boolean;
  readonly content: string;
}

function toModelMessages(
  branch: readonly BranchMessage[],
  pictures: ReadonlyMap<string, readonly Picture[]>,
): object[] {
  return branch
    .filter(({ content }) => content !== '')
    .map(({ id, isUser, content }) => {
      const shown = pictures.get(id) ?? [];
      const role = isUser ? 'user' : 'assistant';
      if (shown.length === 0) return { role, content };
      return { role, content: [{ type: 'text', text: content }, ...shown.map(toPart)] };
    });
}

function toPart({ mediaType, bytes }: Picture): object {
  const url = `data:${mediaType};base64,${bytes.toString('base64')}`;
  return { type: 'image_url', image_url: { url } };
}
