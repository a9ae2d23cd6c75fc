import { Button } from '@mantine/core';
import type { ChatImage, ChatMessage } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { TextAreaField } from '../../components/forms/text-area-field.tsx';
import { IconButton } from '../../components/ui/icon-button.tsx';
import { BranchSwitch } from './branch-switch.tsx';
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

/** A message of the user. */
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
          title="Edit, and ask again beside it"
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
    if (event.nativeEvent.isComposing) return;
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
        <span>The former message and its answers are kept as another branch.</span>
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

/** Pictures of a message. */
function MessageImages({ chatId, images }: { chatId: string; images: readonly ChatImage[] }) {
  if (images.length === 0) return null;
  return (
    <span className={styles.images}>
      {images.map((image) =>
        image.is_kept ? (
          <KeptImage key={image.id} chatId={chatId} image={image} />
        ) : (
          <span key={image.id} className={styles.unkept}>
            {image.name} was sent and not kept, as your organisation wants it
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
