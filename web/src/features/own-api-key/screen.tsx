import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { CurrentUser, OwnApiKey } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { SelectField } from '#components/forms/select-field.tsx';
import { CopyIcon } from '#components/ui/action-icons.ts';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Fact, FactList } from '#components/ui/fact-list.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { Snippet, SnippetTabs } from '#components/ui/snippet.tsx';
import { type StatusKind, StatusMark } from '#components/ui/status-mark.tsx';
import { showMessage, showSuccess } from '#components/ui/toasts.tsx';
import { OwnKeyDialog, OwnKeys } from '#features/api-keys/index.ts';
import { chatSnippet, snippetSdks } from '#lib/chat-snippet.ts';
import { copyText } from '#lib/copy-text.ts';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatLabel } from '#lib/format-label.ts';
import { formatUsd } from '#lib/format-money.ts';
import { formatDay, formatLastUsed } from '#lib/format-time.ts';
import { mayAdminister } from '#lib/home-path.ts';
import { useEverTrue } from '#lib/lazy-part.tsx';
import { useOwnModels } from '#lib/own-account.ts';
import { ownApiKeyQuery } from '#lib/own-api-key.ts';
import { useRemembered } from '#lib/remembered.ts';
import { isOpenTask, userTasksQuery } from '#lib/user-tasks.ts';
import styles from './screen.module.css';

const announceCopy = () => showSuccess('Copied to clipboard!');

function CallSection({ hasKey }: { hasKey: boolean }) {
  const { models, isPending, isError, mayList } = useOwnModels();
  const { data: tasks = [] } = useQuery(userTasksQuery);
  const active = tasks.filter(isOpenTask);
  return (
    <Panel label="Make a call">
      <h2>Make a call</h2>
      <p className="quiet">
        {hasKey
          ? 'Set your key as an environment variable, then run one of these examples.'
          : 'You have no API key yet. Once your administrator has created one, run one of these examples.'}
      </p>
      <Snippet title="In your shell" text="export SLUICE_API_KEY=slc_..." onCopied={announceCopy} />
      {isPending && <SkeletonLines count={6} />}
      {isError && <p className="quiet">Your models could not be loaded.</p>}
      {!mayList && <p className="quiet">You cannot use any model while you are blocked.</p>}
      {models?.length === 0 && (
        <p className="quiet">You do not have access to any model yet. Ask your administrator for access.</p>
      )}
      {models?.[0] !== undefined && (
        <CallSnippets
          models={models.map(({ id }) => id)}
          tasks={active.map(({ task_id, task_title }) => ({ id: task_id, title: task_title }))}
        />
      )}
    </Panel>
  );
}

interface CallSnippetsProps {
  models: readonly string[];
  tasks: readonly { id: number; title: string }[];
}

function CallSnippets({ models, tasks }: CallSnippetsProps) {
  const [sdk, setSdk] = useRemembered('snippet-sdk', snippetSdks);
  const [chosenModel, setModel] = useState('');
  const [chosenTask, setTask] = useState('');
  const model = models.includes(chosenModel) ? chosenModel : (models[0] ?? '');
  const task = tasks.find(({ id }) => String(id) === chosenTask) ?? tasks[0];
  // A user with a single task may omit the task id in requests.
  const taskId = tasks.length > 1 ? task?.id : undefined;
  const write = (language: 'curl' | 'Python' | 'TypeScript') =>
    chatSnippet(language, window.location.origin, model, { sdk, taskId });
  return (
    <>
      <div className={styles.choices}>
        <div>
          <SegmentedSwitch
            label="Client"
            options={snippetSdks.map((name) => ({ value: name, label: name }))}
            value={sdk}
            onChange={setSdk}
          />
        </div>
        <SelectField
          label="Model"
          value={model}
          options={models.map((id) => ({ value: id, label: id }))}
          onChange={setModel}
        />
        {tasks.length > 1 && (
          <SelectField
            label="Task"
            value={task?.id}
            options={tasks.map(({ id, title }) => ({ value: id, label: title }))}
            onChange={setTask}
          />
        )}
      </div>
      <SnippetTabs
        texts={{ curl: write('curl'), Python: write('Python'), TypeScript: write('TypeScript') }}
        onCopied={announceCopy}
      />
    </>
  );
}

/** Administrators create the key. Users may replace it if the tenant allows it. */
export function OwnApiKeyScreen({ user }: { user: CurrentUser }) {
  useDocumentTitle('API Keys · Sluice');
  const answer = useQuery(ownApiKeyQuery);
  const failure = describeFailure(answer, 'Your API key could not be loaded');
  return (
    <>
      <PageHeader title="API Keys" subtitle="Your key for requests to the gateway" />
      {failure && <Failure {...failure} />}
      {!failure && answer.data === undefined && <SkeletonLines count={4} />}
      {answer.data?.apiKey === null && (
        <EmptyState title="No API key">
          {mayAdminister(user) ? (
            <KeyInUsers id={user.id}>Create it in Users</KeyInUsers>
          ) : (
            'Ask your administrator to create an API key for you.'
          )}
        </EmptyState>
      )}
      {answer.data?.apiKey && (
        <KeyPanel user={user} apiKey={answer.data.apiKey} mayRegenerate={answer.data.mayRegenerate} />
      )}
      {answer.data && <OwnKeys />}
      {answer.data && (
        <div className={styles.calls}>
          <CallSection hasKey={answer.data.apiKey !== null} />
        </div>
      )}
    </>
  );
}

function KeyInUsers({ id, children }: { id: number; children: string }) {
  return (
    <Link to="/admin/users" search={{ open: id, act: 'api-key' }}>
      {children}
    </Link>
  );
}

interface KeyPanelProps {
  user: CurrentUser;
  apiKey: OwnApiKey;
  mayRegenerate: boolean;
}

/** The masked key cannot be used elsewhere, so the copy buttons offer only its id and the base URL. */
function KeyPanel({ user, apiKey, mayRegenerate }: KeyPanelProps) {
  const { kind, text } = stateOf(apiKey);
  return (
    <Panel label="API key">
      <div className={styles.head}>
        <h2>{apiKey.name}</h2>
        <StatusMark kind={kind}>{text}</StatusMark>
      </div>
      <FactList>
        <Fact name="Base URL">
          <Copied text={`${window.location.origin}/api/v1`} label="Copy base URL" />
        </Fact>
        <Fact name="Key ID">
          <span className={styles.id}>
            <code>{apiKey.id}</code>
            <IconButton
              label="Copy key ID"
              icon={CopyIcon}
              iconSize={14}
              onClick={() => void copy(String(apiKey.id))}
            />
          </span>
        </Fact>
        <Fact name="Key">
          <code>{apiKey.masked_key}</code>
        </Fact>
        <Fact name="Scopes">{apiKey.scopes.map(formatLabel).join(', ')}</Fact>
        <Fact name="Created">{formatDay(apiKey.created_at)}</Fact>
        <Fact name="Last used">{formatLastUsed(apiKey.last_used_at, Date.now())}</Fact>
        <Fact name="Expires">{apiKey.expires_at === null ? 'Never' : formatDay(apiKey.expires_at)}</Fact>
        <Fact name="Cost">
          {formatUsd(apiKey.spend_usd_today)} today, {formatUsd(apiKey.spend_usd_month)} this month
        </Fact>
      </FactList>
      {mayRegenerate && kind === 'ok' ? (
        <Regenerate lastUsed={formatLastUsed(apiKey.last_used_at, Date.now())} />
      ) : (
        <p className="quiet">
          The full key was shown once, when it was created. To get a new one,{' '}
          {mayAdminister(user) ? (
            <KeyInUsers id={user.id}>regenerate it in Users</KeyInUsers>
          ) : (
            'ask your administrator to regenerate it'
          )}
          .
        </p>
      )}
    </Panel>
  );
}

function Copied({ text, label }: { text: string; label: string }) {
  return (
    <div className={styles.copied}>
      <code>{text}</code>
      <Button
        variant="default"
        aria-label={label}
        leftSection={<CopyIcon size={14} strokeWidth={1.5} aria-hidden />}
        onClick={() => void copy(text)}
      >
        Copy
      </Button>
    </div>
  );
}

function Regenerate({ lastUsed }: { lastUsed: string }) {
  const [isOpen, setOpen] = useState(false);
  const wasOpened = useEverTrue(isOpen);
  return (
    <div className={styles.key}>
      <p className="quiet">The full key was shown once, when it was created.</p>
      <Button variant="default" onClick={() => setOpen(true)}>
        Regenerate
      </Button>
      {wasOpened && <OwnKeyDialog lastUsed={lastUsed} isOpen={isOpen} onClose={() => setOpen(false)} />}
    </div>
  );
}

function stateOf({ is_active, is_expired }: OwnApiKey): { kind: StatusKind; text: string } {
  if (!is_active) return { kind: 'bad', text: 'Revoked' };
  return is_expired ? { kind: 'warn', text: 'Expired' } : { kind: 'ok', text: 'Active' };
}

async function copy(text: string): Promise<void> {
  if (await copyText(text)) showSuccess('Copied to clipboard!');
  else showMessage(`Copy manually: ${text}`);
}
