import { useEffect, useState } from 'react';
import type { OwnModel } from '#lib/own-account.ts';
import { type AttachedImage, isImageFile, readImageFiles, readTextFiles } from './attached-files.ts';

/** These properties decide whether a message can be sent. */
export interface DraftProps {
  userId: number;
  chatId: string | undefined;
  /** Includes the time before the answer starts. */
  isBusy: boolean;
  /** `null` if the task has no limit. */
  remainingTokens: number | null;
  /** Model that will answer, if known. */
  model: OwnModel | undefined;
  /** Resolves to `true` if the message was sent. Otherwise the draft is restored. */
  onSend: (content: string, images: readonly AttachedImage[]) => Promise<boolean>;
  onProblem: (title: string) => void;
}

const storageKey = 'sluice-chat-drafts';
const draftsMax = 20;

/** The latest draft is last. Malformed stored values are ignored. */
function readDrafts(): [string, string][] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    const isDraft = (one: unknown): one is [string, string] =>
      Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === 'string');
    return Array.isArray(stored) ? stored.filter(isDraft) : [];
  } catch {
    return [];
  }
}

/** Stores the text in the browser until the message is sent. The oldest drafts are deleted. */
function keepDraft(key: string, text: string): void {
  const others = readDrafts().filter(([one]) => one !== key);
  const kept = text === '' ? others : [...others, [key, text] as const].slice(-draftsMax);
  try {
    localStorage.setItem(storageKey, JSON.stringify(kept));
  } catch {
    // If storage is unavailable, drafts are lost when the page closes.
  }
}

/** Attached images by draft. Images are too large for the browser's storage, so they are lost when the page closes. */
const keptImages = new Map<string, readonly AttachedImage[]>();

function keepImages({ key, images }: Draft): void {
  if (images.length > 0) keptImages.set(key, images);
  else keptImages.delete(key);
}

/** Drafts survive navigation, reloads and the end of the session. */
export function useDraft(props: DraftProps) {
  const { userId, chatId, isBusy, remainingTokens, model, onSend, onProblem } = props;
  const key = `${userId} ${chatId ?? ''}`;
  const [draft, setDraft] = useState(() => loadDraft(key));
  if (draft.key !== key) setDraft(loadDraft(key));
  useEffect(() => {
    keepDraft(draft.key, draft.text);
    keepImages(draft);
  }, [draft]);
  const { text, images } = draft;
  const change = (next: Partial<Pick<Draft, 'text' | 'images'>>) =>
    setDraft((before) => (before.key === key ? { ...before, ...next } : before));

  const needsOtherModel = images.length > 0 && model !== undefined && !model.takesImages;
  const obstacle =
    remainingTokens === 0
      ? 'No tokens remaining'
      : needsOtherModel
        ? `${model.id} does not accept images`
        : undefined;
  const canSend = chatId !== undefined && obstacle === undefined && !isBusy && text.trim() !== '';
  const send = async () => {
    if (!canSend) return;
    change({ text: '', images: [] });
    if (await onSend(text, images)) return;
    setDraft((before) => restore(before, { key, text, images }));
  };
  const attach = async (files: readonly File[]) => {
    const pictures = files.filter(isImageFile);
    const others = files.filter((file) => !isImageFile(file));
    const read = pictures.length > 0 ? await readImageFiles(pictures, images.length) : undefined;
    const written = others.length > 0 ? await readTextFiles(others) : undefined;
    for (const problem of [read?.problem, written?.problem]) if (problem) onProblem(problem);
    setDraft((before) => add(before, { images: read?.images ?? [], texts: written?.texts ?? [] }));
  };
  return {
    text,
    setText: (next: string) => change({ text: next }),
    images,
    removeImage: (image: AttachedImage) => change({ images: images.filter((one) => one !== image) }),
    attach,
    needsOtherModel,
    obstacle,
    canSend,
    send,
  };
}

interface Draft {
  readonly key: string;
  readonly text: string;
  readonly images: readonly AttachedImage[];
}

const loadDraft = (key: string): Draft => ({
  key,
  text: readDrafts().find(([one]) => one === key)?.[1] ?? '',
  images: keptImages.get(key) ?? [],
});

const add = (
  draft: Draft,
  { images, texts }: { images: readonly AttachedImage[]; texts: readonly string[] },
): Draft => ({
  ...draft,
  images: [...draft.images, ...images],
  text: [draft.text, ...texts].filter(Boolean).join('\n\n'),
});

/** Puts an unsent message before any text typed since. Does nothing if another chat has been opened. */
function restore(current: Draft, unsent: Draft): Draft {
  if (current.key === unsent.key)
    return {
      ...current,
      text: [unsent.text, current.text].filter(Boolean).join('\n\n'),
      images: [...unsent.images, ...current.images],
    };
  keepDraft(unsent.key, unsent.text);
  keepImages(unsent);
  return current;
}
