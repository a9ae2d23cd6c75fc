import { Button } from '@mantine/core';
import type { ChatMessage } from '@sluice/contract';
import { Pencil } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { TextAreaField } from '../../components/forms/text-area-field.tsx';
import { IconButton } from '../../components/ui/icon-button.tsx';
import { BranchSwitch } from './branch-switch.tsx';
import styles from './message.module.css';
import { MessageImages } from './message-images.tsx';
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
