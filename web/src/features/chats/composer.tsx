import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Paperclip, Square, X } from 'lucide-react';
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { SelectField } from '#components/forms/select-field.tsx';
import { TextAreaField } from '#components/forms/text-field.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { formatCount } from '#lib/format-number.ts';
import type { OwnModel } from '#lib/own-account.ts';
import {
  type AttachedImage,
  imageFilesHint,
  isImageFile,
  readImageFiles,
  readTextFiles,
  textFilesHint,
} from './attached-files.ts';
import budgetBarStyles from './budget-bar.module.css';
import styles from './composer.module.css';
import { dayBudgetQuery } from './queries.ts';

/** State that decides whether a message can be sent. */
interface DraftProps {
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

const noPictures = ({ id }: Pick<OwnModel, 'id'>) => `${id} may not accept pictures`;

/** State of the message being written. */
function useDraft({ hasChat, isAwaiting, remainingTokens, model, onSend, onProblem }: DraftProps) {
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

/** Tokens of a typical answer. */
const answerTokens = 500;
const charsPerToken = 4;

/** Used tokens of today, and an estimate of the next answer. */
function BudgetBar({ draft, threadTokens }: { draft: string; threadTokens: number }) {
  const { data } = useQuery(dayBudgetQuery);
  if (!data || data.limit === null || data.limit === 0) return null;
  const { used, limit } = data;
  const next = threadTokens + Math.ceil(draft.length / charsPerToken) + answerTokens;
  const left = Math.max(0, limit - used);
  return (
    <div className={budgetBarStyles.budget}>
      <p className="num">
        next answer ≈ {formatCount(next)} tokens · {formatCount(left)} left today
      </p>
      <svg className={budgetBarStyles.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <rect
          className={budgetBarStyles.next}
          width={Math.min(100, ((used + next) / limit) * 100)}
          height="1"
        />
        <rect className={budgetBarStyles.used} width={Math.min(100, (used / limit) * 100)} height="1" />
      </svg>
    </div>
  );
}

interface ComposerProps extends DraftProps {
  models: readonly OwnModel[];
  onModel: (id: string) => void;
  /** Estimated tokens of the conversation so far. */
  threadTokens: number;
  onStop: () => void;
  onEditLast: () => void;
}

/** Message input: Enter sends, Shift+Enter breaks the line, arrow up edits the last message. */
export function Composer(props: ComposerProps) {
  const { isAwaiting } = props;
  const { text, setText, images, removeImage, attach, obstacle, canSend, send } = useDraft(props);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (!isAwaiting) field.current?.focus({ preventScroll: true });
  }, [isAwaiting]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowUp' && text === '') {
      event.preventDefault();
      props.onEditLast();
    }
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  };
  const takeFiles = (event: ClipboardEvent | DragEvent, { files }: DataTransfer) => {
    if (files.length === 0) return;
    event.preventDefault();
    void attach([...files]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files may be dropped here as well as chosen by the button
    <div
      className={styles.composer}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => takeFiles(event, event.dataTransfer)}
    >
      <AttachedImages images={images} onRemove={removeImage} />
      <TextAreaField
        ref={field}
        classNames={{ input: styles.field }}
        aria-label="Message"
        placeholder="Ask about this task. Enter sends, Shift+Enter adds a new line."
        value={text}
        disabled={isAwaiting}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onPaste={(event) => takeFiles(event, event.clipboardData)}
      />
      <ComposerTools {...props} obstacle={obstacle} canSend={canSend} onFiles={attach} onSend={send} />
      <BudgetBar draft={text} threadTokens={props.threadTokens} />
    </div>
  );
}

interface ComposerToolsProps extends Omit<ComposerProps, 'onSend'> {
  obstacle: string | undefined;
  canSend: boolean;
  onFiles: (files: readonly File[]) => Promise<void>;
  onSend: () => Promise<void>;
}

function ComposerTools(props: ComposerToolsProps) {
  const { isAwaiting, model, models, chosenModel, obstacle, canSend } = props;
  const { onModel, onFiles, onSend, onStop } = props;
  return (
    <div className={styles.tools}>
      <AttachButton model={model} isBusy={isAwaiting} onFiles={onFiles} />
      <SelectField
        aria-label="Model"
        placeholder="Default model"
        value={chosenModel}
        options={models.map(({ id, takesImages }) => ({
          value: id,
          label: id,
          note: takesImages ? 'pictures' : undefined,
        }))}
        onChange={onModel}
      />
      {isAwaiting ? (
        <Button variant="default" leftSection={<Square size={12} aria-hidden />} onClick={onStop}>
          Stop
        </Button>
      ) : (
        <span title={obstacle}>
          <Button disabled={!canSend} onClick={() => void onSend()}>
            Send
          </Button>
        </span>
      )}
    </div>
  );
}

interface AttachedImagesProps {
  images: readonly AttachedImage[];
  onRemove: (image: AttachedImage) => void;
}

/** Pictures attached to the next message. */
function AttachedImages({ images, onRemove }: AttachedImagesProps) {
  if (images.length === 0) return null;
  return (
    <ul className={styles.images} aria-label="Attached pictures">
      {images.map((image) => (
        <li key={image.url} className={styles.image}>
          <img src={image.url} alt="" />
          <span className={styles.name}>
            {image.body.name}
            {image.isShrunk && <small>shrunk</small>}
          </span>
          <IconButton label={`Remove ${image.body.name}`} icon={X} onClick={() => onRemove(image)} />
        </li>
      ))}
    </ul>
  );
}

interface AttachButtonProps {
  model: OwnModel | undefined;
  isBusy: boolean;
  onFiles: (files: readonly File[]) => Promise<void>;
}

/** Button to attach files. Its title names the accepted kinds, and why pictures are not accepted. */
function AttachButton({ model, isBusy, onFiles }: AttachButtonProps) {
  const files = useRef<HTMLInputElement>(null);
  const takesImages = model?.takesImages ?? false;
  const pictures = takesImages || !model ? imageFilesHint : `no pictures, since ${noPictures(model)}`;
  const hint = `${textFilesHint}; ${pictures}`;
  const attach = async (list: FileList | null) => {
    await onFiles([...(list ?? [])]);
    if (files.current) files.current.value = '';
  };
  return (
    <>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        accept={`text/*,.md,.json,.csv,.ts,.py${takesImages ? ',image/*' : ''}`}
        onChange={(event) => void attach(event.currentTarget.files)}
      />
      <IconButton
        label={`Attach files: ${hint}`}
        title={hint}
        icon={Paperclip}
        disabled={isBusy}
        onClick={() => files.current?.click()}
      />
    </>
  );
}
