import { Button } from '@mantine/core';
import type { ChatImage, ChatMessage } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, Pencil } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { TextAreaField } from '#components/forms/text-field.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { isComposing } from './composer.tsx';
import styles from './message.module.css';
import { imageQuery } from './queries.ts';
import type { Edited, MessageActions } from './use-message-actions.ts';

interface QuestionProps {
  message: ChatMessage;
  chatId: string;
  actions: MessageActions;
  isBusy: boolean;
  edited: Edited | null;
}

export function Question({ message, chatId, actions, isBusy, edited }: QuestionProps) {
  const { id, content, images, siblings } = message;
  if (edited)
    return <EditedQuestion id={id} written={edited.text ?? content} actions={actions} isBusy={isBusy} />;
  return (
    <div className={styles.asked}>
      <MessageImages chatId={chatId} images={images} />
      <p className={styles.question}>{content}</p>
      <div className={styles.facts}>
        <BranchSwitch id={id} siblings={siblings} noun="message" isBusy={isBusy} onChoose={actions.choose} />
        <IconButton
          label="Edit message"
          title="Edit and send as a new branch"
          icon={Pencil}
          iconSize={14}
          disabled={isBusy}
          onClick={() => actions.edit(id)}
        />
      </div>
    </div>
  );
}

interface EditedQuestionProps {
  id: string;
  written: string;
  actions: MessageActions;
  isBusy: boolean;
}

function EditedQuestion({ id, written, actions, isBusy }: EditedQuestionProps) {
  const [text, setText] = useState(written);
  const canSend = text.trim() !== '' && !isBusy;
  const send = () => canSend && actions.sendEdited(id, text);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === 'Escape') actions.edit(null);
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    send();
  };
  return (
    <div className={styles.editing}>
      <TextAreaField
        autoFocus
        autosize
        minRows={2}
        maxRows={12}
        aria-label="Edited message"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div className={styles.facts}>
        <span>The previous message and its answers are kept as another branch.</span>
        <Button variant="default" onClick={() => actions.edit(null)}>
          Cancel
        </Button>
        <Button disabled={!canSend} onClick={send}>
          Send edited
        </Button>
      </div>
    </div>
  );
}

function MessageImages({ chatId, images }: { chatId: string; images: readonly ChatImage[] }) {
  if (images.length === 0) return null;
  return (
    <span className={styles.images}>
      {images.map((image) =>
        image.is_kept ? (
          <KeptImage key={image.id} chatId={chatId} image={image} />
        ) : (
          <span key={image.id} className={styles.unkept}>
            {image.name} was sent but not stored: your organization does not keep prompts in full
          </span>
        ),
      )}
    </span>
  );
}

function KeptImage({ chatId, image: { id, name } }: { chatId: string; image: ChatImage }) {
  const { data, isError } = useQuery(imageQuery(chatId, id));
  if (isError) return <span className={styles.unkept}>{name} could not be loaded</span>;
  return data ? (
    <img className={styles.image} src={data} alt={name} />
  ) : (
    <span className={styles.image} aria-busy="true" />
  );
}

interface BranchSwitchProps {
  id: string;
  siblings: readonly string[];
  /** `message` or `answer`, for the accessible label. */
  noun: string;
  isBusy: boolean;
  onChoose: (id: string) => void;
}

/** Arrow keys switch to the previous or next sibling. */
export function BranchSwitch({ id, siblings, noun, isBusy, onChoose }: BranchSwitchProps) {
  if (siblings.length < 2) return null;
  const at = siblings.indexOf(id);
  const choose = (step: number) => {
    const next = siblings[at + step];
    if (next !== undefined && !isBusy) onChoose(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    choose(step);
  };
  const place = `${at + 1} / ${siblings.length}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields, this group has two buttons
    <span
      role="group"
      aria-label={`Versions of this ${noun}`}
      className={styles.branches}
      onKeyDown={onKeyDown}
    >
      <IconButton
        label={`Previous ${noun}`}
        icon={ChevronLeft}
        aria-disabled={at === 0 || isBusy}
        onClick={() => choose(-1)}
      />
      <span className="num" role="status">
        {place}
      </span>
      <IconButton
        label={`Next ${noun}`}
        icon={ChevronRight}
        aria-disabled={at === siblings.length - 1 || isBusy}
        onClick={() => choose(1)}
      />
    </span>
  );
}
