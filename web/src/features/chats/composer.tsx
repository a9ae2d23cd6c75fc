import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Paperclip, Square, X } from 'lucide-react';
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useRef,
} from 'react';
import { SelectField } from '#components/forms/select-field.tsx';
import { TextAreaField } from '#components/forms/text-field.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { formatCount, formatQuantity } from '#lib/format-number.ts';
import type { OwnModel } from '#lib/own-account.ts';
import { type AttachedImage, imageFilesHint, textFilesHint } from './attached-files.ts';
import budgetBarStyles from './budget-bar.module.css';
import styles from './composer.module.css';
import { tokensLeftQuery } from './queries.ts';
import { type DraftProps, useDraft } from './use-draft.ts';

const answerTokens = 500;
const charsPerToken = 4;
/** Typical of a large image; providers count 85 to 2,500 tokens. */
const tokensPerImage = 1_500;

interface BudgetBarProps {
  draft: string;
  imageCount: number;
  threadTokens: number;
}

/** Shows the tokens left today, or this month if fewer, and the estimated tokens of the next answer. */
function BudgetBar({ draft, imageCount, threadTokens }: BudgetBarProps) {
  const { data } = useQuery(tokensLeftQuery);
  if (!data || data.limit === null || data.limit === 0) return null;
  const { used, limit, left, isMonthly } = data;
  const draftTokens = Math.ceil(draft.length / charsPerToken) + imageCount * tokensPerImage;
  const next = threadTokens + draftTokens + answerTokens;
  return (
    <div className={budgetBarStyles.budget}>
      <p className="num">
        next answer ≈ {formatQuantity(next, 'token')} · {formatCount(left)} left{' '}
        {isMonthly ? 'this month' : 'today'}
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

/** On touch screens, Enter inserts a line break, because there is no Shift key and the Send button is close. */
const isTouch = () => matchMedia('(pointer: coarse)').matches;

/** Moves the focus to the frame while the field is disabled, so that keys typed meanwhile do nothing. */
function useHeldFocus(
  frame: RefObject<HTMLElement | null>,
  field: RefObject<HTMLTextAreaElement | null>,
  isDisabled: boolean,
): void {
  const wasFocused = useRef(false);
  useEffect(() => {
    const { activeElement } = document;
    const isFree = activeElement === null || activeElement === document.body;
    if (isDisabled && (wasFocused.current || activeElement === field.current)) frame.current?.focus();
    if (!isDisabled && (activeElement === frame.current || (isFree && !isTouch())))
      field.current?.focus({ preventScroll: true });
    wasFocused.current = document.activeElement === field.current;
  }, [frame, field, isDisabled]);
}

interface ComposerProps extends DraftProps {
  /** Whether the message was sent and the answer has not started. */
  isAwaiting: boolean;
  models: readonly OwnModel[];
  /** Empty for the default model. */
  chosenModel: string;
  onModel: (id: string) => void;
  /** Estimated tokens of the conversation so far. */
  threadTokens: number;
  onStop: () => void;
  onEditLast: () => void;
}

const placeholder = 'Write a message.';

/** Copied spreadsheet cells contain text and an image. Only the text is used. */
const filesOf = ({ files, types }: DataTransfer) => (types.includes('text/plain') ? [] : [...files]);

/** Enter sends, Shift+Enter breaks the line, and Arrow Up edits the last message. */
export function Composer(props: ComposerProps) {
  const { isAwaiting, models, onModel } = props;
  const { text, setText, images, removeImage, attach, needsOtherModel, obstacle, canSend, send } =
    useDraft(props);
  const frame = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  useHeldFocus(frame, field, isAwaiting);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowUp' && text === '') {
      event.preventDefault();
      props.onEditLast();
    }
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event) || isTouch()) return;
    event.preventDefault();
    void send();
  };
  const takeFiles = (event: ClipboardEvent | DragEvent, data: DataTransfer) => {
    const files = filesOf(data);
    if (files.length === 0) return;
    event.preventDefault();
    void attach(files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping files is an alternative to the attach button
    <div
      ref={frame}
      tabIndex={-1}
      className={styles.composer}
      data-holds-keys={isAwaiting || undefined}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => takeFiles(event, event.dataTransfer)}
    >
      <AttachedImages images={images} onRemove={removeImage} />
      {needsOtherModel && <OtherModels models={models} model={props.model?.id} onModel={onModel} />}
      <TextAreaField
        ref={field}
        classNames={{ input: styles.field }}
        aria-label="Message"
        placeholder={isTouch() ? placeholder : `${placeholder} Enter sends, Shift+Enter adds a new line.`}
        value={text}
        disabled={isAwaiting}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onPaste={(event) => takeFiles(event, event.clipboardData)}
      />
      <ComposerTools {...props} obstacle={obstacle} canSend={canSend} onFiles={attach} onSend={send} />
      <BudgetBar draft={text} imageCount={images.length} threadTokens={props.threadTokens} />
    </div>
  );
}

/**
 * Whether the key press belongs to an input method editor. Safari ends the composition before it sends the confirming
 * key, with key code 229.
 */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === 229;

interface OtherModelsProps {
  models: readonly OwnModel[];
  model: string | undefined;
  onModel: (id: string) => void;
}

/** Shown when the selected model does not accept the attached images. */
function OtherModels({ models, model, onModel }: OtherModelsProps) {
  const fitting = models.filter(({ takesImages }) => takesImages).slice(0, 3);
  return (
    <div className={styles.unfit} role="status">
      <p>
        {model} does not accept images.{' '}
        {fitting.length === 0 && 'None of your models accepts images. Remove the images to send the text.'}
      </p>
      {fitting.map(({ id }) => (
        <Button key={id} size="compact-sm" variant="default" onClick={() => onModel(id)}>
          Use {id}
        </Button>
      ))}
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
  const { isBusy, isAwaiting, models, chosenModel, obstacle, canSend } = props;
  const { onModel, onFiles, onSend, onStop } = props;
  return (
    <div className={styles.tools}>
      <AttachButton isDisabled={isAwaiting} onFiles={onFiles} />
      <SelectField
        aria-label="Model"
        placeholder="Default model"
        value={chosenModel}
        options={models.map(({ id, takesImages }) => ({
          value: id,
          label: id,
          note: takesImages ? 'images' : undefined,
        }))}
        onChange={onModel}
      />
      {isBusy ? (
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

function AttachedImages({ images, onRemove }: AttachedImagesProps) {
  if (images.length === 0) return null;
  return (
    <ul className={styles.images} aria-label="Attached images">
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
  isDisabled: boolean;
  onFiles: (files: readonly File[]) => Promise<void>;
}

function AttachButton({ isDisabled, onFiles }: AttachButtonProps) {
  const files = useRef<HTMLInputElement>(null);
  const hint = `${textFilesHint}; ${imageFilesHint}`;
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
        accept="text/*,.md,.json,.csv,.ts,.py,image/*"
        onChange={(event) => void attach(event.currentTarget.files)}
      />
      <IconButton
        label={`Attach files: ${hint}`}
        title={hint}
        icon={Paperclip}
        disabled={isDisabled}
        onClick={() => files.current?.click()}
      />
    </>
  );
}
