import { useState } from 'react';
import type { OwnModel } from '../../lib/own-models.ts';
import { type AttachedImage, isImageFile, readImageFiles } from './image-files.ts';
import { readTextFiles } from './text-files.ts';

/** State that decides whether a message can be sent. */
export interface DraftProps {
  hasChat: boolean;
  isAwaiting: boolean;
  /** `null` if the task has no limit. */
  remainingTokens: number | null;
  /** Selected model, empty for the default. */
  chosenModel: string;
  /** Model that will answer, if known. */
  model: OwnModel | undefined;
  /** Resolves to whether the message was sent; if not, the draft is restored. */
  onSend: (content: string, images: readonly AttachedImage[]) => Promise<boolean>;
  onProblem: (title: string) => void;
}

export const noPictures = ({ id }: Pick<OwnModel, 'id'>) => `${id} is not known to take pictures`;

/** State of the message being written. */
export function useDraft({ hasChat, isAwaiting, remainingTokens, model, onSend, onProblem }: DraftProps) {
  const [text, setText] = useState('');
  const [images, setImages] = useState<readonly AttachedImage[]>([]);
  const isUnfit = images.length > 0 && model !== undefined && !model.takesImages;
  const hasTokens = remainingTokens === null || remainingTokens > 0;
  const obstacle = hasTokens ? (isUnfit ? noPictures(model) : undefined) : 'No tokens remaining';
  const canSend = hasChat && obstacle === undefined && !isAwaiting && text.trim() !== '';
  const send = async () => {
    if (!canSend) return;
    setText('');
    setImages([]);
    if (await onSend(text, images)) return;
    setText(text);
    setImages(images);
  };
  const attach = async (files: readonly File[]) => {
    const pictures = files.filter(isImageFile);
    if (pictures.length > 0 && model && !model.takesImages)
      onProblem(`${noPictures(model)}: choose another model`);
    else if (pictures.length > 0) {
      const read = await readImageFiles(pictures, images.length);
      if (read.problem) onProblem(read.problem);
      setImages((before) => [...before, ...read.images]);
    }
    const others = files.filter((file) => !isImageFile(file));
    if (others.length === 0) return;
    const { texts, problem } = await readTextFiles(others);
    if (problem) onProblem(problem);
    setText((draft) => [draft, ...texts].filter(Boolean).join('\n\n'));
  };
  const removeImage = (image: AttachedImage) => setImages((all) => all.filter((one) => one !== image));
  return { text, setText, images, removeImage, attach, obstacle, canSend, send };
}
