import { z } from 'zod';
import { isPlainLine, notPlainLine } from '../fields.ts';
import { id, idParams, instant, requestId } from '../ids.ts';
import { usd } from '../money.ts';
import { defineRoutes } from '../route.ts';

export const chatMessageStatuses = ['pending', 'completed', 'stopped', 'failed'] as const;

export const chatContentMax = 200_000;

/**
 * Limits apply per message. A request contains at most `totalMaxBytes` of images, including images of previous
 * messages.
 */
export const chatImageLimits = { countMax: 4, maxBytes: 4_000_000, totalMaxBytes: 6_000_000 } as const;

export const chatImageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;

const base64Length = (bytes: number) => Math.ceil(bytes / 3) * 4;

/** Administrators need no task. */
export const noChatTask = 'No task specified. Please select a task to start chatting.';

export const chat = z.object({
  id: z.uuid(),
  /** Derived from the first message unless the user renamed the chat. Empty before the first message. */
  title: z.string(),
  is_pinned: z.boolean(),
  updated_at: instant,
  task_id: z.number().int().nullable(),
  task_title: z.string().nullable(),
  total_tokens_used: z.number().int(),
});

export type Chat = z.infer<typeof chat>;

/**
 * `excerpt` is the latest message text that contains the search text, or `null` if only the title or the task
 * contains it.
 */
export const listedChat = chat.extend({ excerpt: z.string().nullable() });

export type ListedChat = z.infer<typeof listedChat>;

/** `is_kept` is false if the organization does not keep prompts in full. */
export const chatImage = z.object({ id: z.uuid(), name: z.string(), is_kept: z.boolean() });

export type ChatImage = z.infer<typeof chatImage>;

/** While `pending`, `content` is the text received so far. Tokens and cost are the same as in the log row. */
export const chatMessage = z.object({
  id: z.uuid(),
  is_user: z.boolean(),
  content: z.string(),
  created_at: instant,
  status: z.enum(chatMessageStatuses),
  /** Why an answer failed, or why a completed answer is cut off. */
  error_message: z.string().nullable(),
  /** `null` for messages of the user. */
  model: z.string().nullable(),
  tokens_used: z.number().int().nullable(),
  cost: usd.nullable(),
  intent: z.string().nullable(),
  request_id: requestId.nullable(),
  images: z.array(chatImage),
  /** Edited questions or regenerated responses, oldest first, including this message. */
  siblings: z.array(z.uuid()),
});

export type ChatMessage = z.infer<typeof chatMessage>;

/** Messages of the selected branch, in order. `total_cost` also includes the answers of other branches. */
export const chatWithMessages = chat.extend({ messages: z.array(chatMessage), total_cost: usd });

export type ChatWithMessages = z.infer<typeof chatWithMessages>;

/** `token_limit` and `remaining_tokens` are `null` if the task has no limit. */
export const chatTaskContext = z.object({
  title: z.string(),
  description: z.string(),
  category: z.string(),
  token_limit: z.number().nullable(),
  remaining_tokens: z.number().nullable(),
});

export type ChatTaskContext = z.infer<typeof chatTaskContext>;

/** Defaults to the chat's last model, or to the first model that the user may use. */
const askedModel = z
  .string()
  .trim()
  .min(1)
  .max(200, 'A model name must be at most 200 characters')
  .optional();

export const chatTitleMax = 200;

/** With an empty title, the title is derived again from the next message. */
export const updateChatBody = z.strictObject({
  title: z
    .string()
    .trim()
    .max(chatTitleMax, 'A title must be at most 200 characters')
    .refine(isPlainLine, notPlainLine('A title'))
    .optional(),
  is_pinned: z.boolean().optional(),
});

export type UpdateChatBody = z.infer<typeof updateChatBody>;

export const sendChatMessageBody = z.strictObject({
  chat_id: z.uuid('Please select a chat'),
  content: z
    .string('Please enter a message')
    .trim()
    .min(1, 'Please enter a message')
    .max(chatContentMax, 'A message must be at most 200,000 characters'),
  model: askedModel,
  /** The new message replaces this user message in a new branch. The images of the replaced message are reused. */
  edited_message_id: z.uuid('The edited message ID is invalid').optional(),
  images: z
    .array(
      z.strictObject({
        name: z
          .string()
          .trim()
          .min(1)
          .max(200, 'A name must be at most 200 characters')
          .refine(isPlainLine, notPlainLine('A name')),
        media_type: z.enum(chatImageTypes, 'Images must be PNG, JPEG, WebP or GIF'),
        /** Base64. */
        data: z.string().min(1).max(base64Length(chatImageLimits.maxBytes), 'An image must be at most 4 MB'),
      }),
    )
    .max(chatImageLimits.countMax, 'A message can have at most 4 images')
    .default([]),
});

export type SendChatMessageBody = z.input<typeof sendChatMessageBody>;

/** `message` is the stored response, `response` its text. */
export const sentChatMessage = z.object({
  message: chatMessage,
  response: z.string(),
  remaining_tokens: z.number().nullable(),
  chat_updated: chat.pick({ title: true, updated_at: true, total_tokens_used: true }),
});

export type SentChatMessage = z.infer<typeof sentChatMessage>;

/** The image as it was sent, in base64. */
export const chatImageContent = z.object({ media_type: z.enum(chatImageTypes), data: z.string() });

const chatParams = z.object({ id: z.uuid() });
const chatMessageParams = chatParams.extend({ messageId: z.uuid() });
const reading = { surface: 'management', permission: 'account.read' } as const;
const asking = { surface: 'management', permission: 'completions.create', inOwnTenant: true } as const;

export const chatsRoutes = defineRoutes({
  createChat: {
    idempotent: true,
    ...asking,
    method: 'POST',
    path: '/chats/new',
    summary: "Create a chat for one of the caller's tasks; optional for administrators",
    request: { body: z.strictObject({ task_id: id.nullish() }) },
    response: chat,
    status: 201,
  },
  listChats: {
    ...reading,
    method: 'GET',
    path: '/chats',
    summary:
      "List the caller's chats that are not archived, pinned ones first, then most recent first; `search` looks in titles, task titles and message texts",
    request: {
      query: z.strictObject({
        task_id: id.optional(),
        search: z.string().trim().max(200, 'A search must be at most 200 characters').optional(),
      }),
    },
    response: z.array(listedChat),
  },
  getChat: {
    ...reading,
    method: 'GET',
    path: '/chats/{id}',
    summary:
      "Get one of the caller's chats with its messages; a response in progress includes the text received so far",
    request: { params: chatParams },
    response: chatWithMessages,
  },
  sendChatMessage: {
    idempotent: true,
    ...asking,
    method: 'POST',
    path: '/chats/send',
    summary:
      "Send a message and return the model's response once complete; with `Accept: text/event-stream` it is streamed: `delta {text}`, then `done` or `error {detail, code}`",
    request: { body: sendChatMessageBody },
    bodyLimitBytes: base64Length(chatImageLimits.totalMaxBytes) + 1024 * 1024,
    response: sentChatMessage,
    eventStream: true,
  },
  regenerateChatAnswer: {
    idempotent: true,
    ...asking,
    method: 'POST',
    path: '/chats/{id}/messages/{messageId}/regenerate',
    summary:
      'Regenerate a response; both are kept as branches. The response format is that of a sent message',
    request: { params: chatMessageParams, body: z.strictObject({ model: askedModel }) },
    response: sentChatMessage,
    eventStream: true,
  },
  chooseChatBranch: {
    ...reading,
    method: 'POST',
    path: '/chats/{id}/messages/{messageId}/choose',
    summary: 'Select the latest branch through a message; the next message is appended to its end',
    request: { params: chatMessageParams },
    response: chatWithMessages,
  },
  getChatImage: {
    ...reading,
    method: 'GET',
    path: '/chats/{id}/images/{imageId}',
    summary: 'Get an image of a message, if it was kept',
    request: { params: chatParams.extend({ imageId: z.uuid() }) },
    response: chatImageContent,
  },
  stopChat: {
    ...reading,
    method: 'POST',
    path: '/chats/{id}/stop',
    summary: 'Stop the response in progress; the text received so far is kept and billed',
    request: { params: chatParams },
    response: z.undefined(),
    status: 204,
  },
  updateChat: {
    ...reading,
    method: 'PATCH',
    path: '/chats/{id}',
    summary: "Rename, pin or unpin one of the caller's chats",
    request: { params: chatParams, body: updateChatBody },
    response: chat,
  },
  archiveChat: {
    ...reading,
    method: 'DELETE',
    path: '/chats/{id}',
    summary: "Archive one of the caller's chats, which removes it from all lists",
    request: { params: chatParams },
    response: z.undefined(),
    status: 204,
  },
  getChatTaskContext: {
    ...reading,
    method: 'GET',
    path: '/chats/task/{id}/context',
    summary: "Get one of the caller's tasks for display in a chat",
    request: { params: idParams },
    response: chatTaskContext,
  },
  openTaskChat: {
    ...reading,
    method: 'GET',
    path: '/chats/task/{id}',
    summary:
      "Get the caller's latest chat for one of their tasks; created if it does not exist, the task is active and the caller is not blocked",
    request: { params: idParams },
    response: chat,
  },
});
