import { Button } from '@mantine/core';
import type { Appeal } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { TextField } from '#components/forms/text-field.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { PanelList } from '#components/ui/panel-list.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { Time } from '#components/ui/time.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { describeFailure, messageOf } from '#lib/describe-failure.ts';
import { formatScore } from '#lib/format-number.ts';
import styles from './list.module.css';
import { appealsQuery, useDecideAppeal, useReopenAppeal } from './queries.ts';

/** Users receive this note if the administrator enters none. */
const usualGrantNote = 'The block is lifted.';

/** Granting an appeal lifts the block. A denial needs a reason, which the user sees. */
function AppealDecision({ appeal: { id, user_name } }: { appeal: Appeal }) {
  const [note, setNote] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const { mutate, isPending } = useDecideAppeal();
  const send = (decision: 'grant' | 'deny', text: string, told: string) => {
    if (isPending) return;
    mutate(
      { params: { id }, body: { decision, note: text } },
      {
        onSuccess: () => showSuccess(told),
        onError: (error) => showError(messageOf(error, 'The decision could not be saved')),
      },
    );
  };
  const deny = () => {
    const reason = note.trim();
    if (reason === '') return setProblem('Please give a reason for the denial');
    send('deny', reason, `The appeal of ${user_name} is denied`);
  };
  return (
    <div className={styles.decision}>
      <TextField
        className={styles.note}
        label="Note"
        placeholder={usualGrantNote}
        description={`${user_name} sees this text. A denial requires a reason.`}
        value={note}
        error={problem}
        onChange={(event) => {
          setNote(event.currentTarget.value);
          setProblem(null);
        }}
      />
      <div className={styles.actions}>
        <Button
          onClick={() => send('grant', note.trim() || usualGrantNote, `${user_name} is unblocked`)}
          aria-disabled={isPending}
        >
          Grant
        </Button>
        <Button variant="default" onClick={deny} aria-disabled={isPending}>
          Deny
        </Button>
      </div>
    </div>
  );
}

const marks = {
  open: { kind: 'pending', word: 'Open' },
  granted: { kind: 'ok', word: 'Granted' },
  denied: { kind: 'bad', word: 'Denied' },
} as const;

export function AppealCard({ appeal }: { appeal: Appeal }) {
  const { user_id, user_name, user_email, status, message, created_at, block, note, decided_at } = appeal;
  const { kind, word } = marks[status];
  return (
    <li className={styles.appeal} aria-label={`Appeal of ${user_name}`}>
      <div className={styles.head}>
        <div className={styles.person}>
          <Link to="/admin/users" search={{ open: String(user_id) }}>
            {user_name}
          </Link>
          <span className="quiet">{user_email}</span>
        </div>
        <span>
          <StatusMark kind={kind}>{word}</StatusMark> <Time value={created_at} />
        </span>
      </div>
      <blockquote className={styles.message}>{message}</blockquote>
      <BlockFacts block={block} />
      {status === 'open' ? (
        <AppealDecision appeal={appeal} />
      ) : (
        <div className={styles.decided}>
          <p className="quiet">
            {word} {decided_at !== null && <Time value={decided_at} />}: {note}
          </p>
          {status === 'denied' && <ReopenButton appeal={appeal} />}
        </div>
      )}
    </li>
  );
}

function BlockFacts({ block }: Pick<Appeal, 'block'>) {
  return (
    <dl className={styles.facts}>
      <div>
        <dt>Blocked because</dt>
        <dd>{block.reason}</dd>
      </div>
      <div>
        <dt>Score when blocked</dt>
        <dd className="num">{formatScore(block.score)} of 1</dd>
      </div>
      <div>
        <dt>Blocked</dt>
        <dd>
          <Time value={block.created_at} />
          {block.request_id !== null && (
            <>
              {' by '}
              <Link to="/admin/logs" search={{ open: block.request_id }}>
                this request
              </Link>
            </>
          )}
        </dd>
      </div>
    </dl>
  );
}

function ReopenButton({ appeal: { id, user_name } }: { appeal: Appeal }) {
  const { mutate, isPending } = useReopenAppeal();
  const reopen = () =>
    mutate(id, {
      onSuccess: () => showSuccess(`The appeal of ${user_name} is open again`),
      onError: (error) => showError(messageOf(error, 'The appeal was not reopened')),
    });
  return (
    <Button variant="default" aria-disabled={isPending} onClick={() => !isPending && reopen()}>
      Undo denial
    </Button>
  );
}

type AppealFilter = Appeal['status'] | 'all';

const filters: readonly { value: AppealFilter; label: string }[] = [
  { value: 'open', label: 'Open' },
  { value: 'granted', label: 'Granted' },
  { value: 'denied', label: 'Denied' },
  { value: 'all', label: 'All' },
];

const emptyTitle = (status: AppealFilter) =>
  ({
    open: 'No open appeals',
    granted: 'No granted appeals',
    denied: 'No denied appeals',
    all: 'No appeals yet',
  })[status];

interface AppealListProps {
  status: AppealFilter | undefined;
  onStatus: (status: AppealFilter | undefined) => void;
}

export function AppealList({ status = 'open', onStatus }: AppealListProps) {
  const answer = useQuery(appealsQuery(status === 'all' ? undefined : status));
  const { data: appeals } = answer;
  const failure = describeFailure(answer, 'The appeals could not be loaded');
  return (
    <div className={styles.appeals}>
      <SegmentedSwitch
        label="Appeals by status"
        options={filters}
        value={status}
        onChange={(chosen) => onStatus(chosen === 'open' ? undefined : chosen)}
      />
      {failure && <Failure {...failure} />}
      {!appeals && !failure && (
        <div role="status">
          <span className="visually-hidden">Loading appeals...</span>
          <SkeletonLines />
        </div>
      )}
      {appeals?.length === 0 && (
        <div className={styles.list}>
          <EmptyState title={emptyTitle(status)}>
            Blocked users may appeal once, on their dashboard.
          </EmptyState>
        </div>
      )}
      {appeals && appeals.length > 0 && (
        <div className={styles.list}>
          <PanelList label="Appeals" items={appeals} noun="appeals">
            {(appeal) => <AppealCard key={appeal.id} appeal={appeal} />}
          </PanelList>
        </div>
      )}
    </div>
  );
}
