import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { type PromptRead, type UserProfile, updateProfileBody } from '@sluice/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from '#components/forms/form.tsx';
import { EmailField, TextField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { DeviationScore } from '#components/ui/deviation-score.tsx';
import { Fact, FactList } from '#components/ui/fact-list.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { Panel, PanelRow, PanelRows } from '#components/ui/panel.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { StatStrip } from '#components/ui/stat-strip.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { Time } from '#components/ui/time.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { SecondFactorPanel } from '#features/second-factor/index.ts';
import { describeBrowser } from '#lib/describe-browser.ts';
import { describeFailure, messageOf } from '#lib/describe-failure.ts';
import { formatLabel } from '#lib/format-label.ts';
import { formatCount, formatQuantity } from '#lib/format-number.ts';
import { formatDay, formatFullTime } from '#lib/format-time.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useTimeZone } from '#lib/time-zone.ts';
import { PasswordPanel } from './password-panel.tsx';
import {
  profileQuery,
  promptReadsQuery,
  saveOwnData,
  sessionsQuery,
  useEndSession,
  useRename,
} from './queries.ts';
import styles from './screen.module.css';

export function ProfileScreen() {
  useDocumentTitle('Profile · Sluice');
  // Renders again when the time zone changes.
  useTimeZone();
  const answer = useQuery(profileQuery);
  const { data: profile } = answer;
  const failure = describeFailure(answer, 'Error loading profile information');
  return (
    <>
      <PageHeader title="Profile" subtitle="Your account and where you are signed in" />
      {failure && <Failure {...failure} message="Error loading profile information" />}
      {!failure && !profile && <SkeletonLines count={6} />}
      {profile && (
        <div className={styles.parts}>
          <StatStrip
            label="Your account"
            stats={[
              { label: 'Role', value: formatLabel(profile.role.name) },
              { label: 'Member since', value: formatDay(profile.created_at) },
              { label: 'Total tokens used', value: formatCount(profile.total_tokens_used) },
              { label: 'Deviation score', value: <DeviationScore score={profile.current_deviation_score} /> },
            ]}
          />
          <p className="quiet">
            Last sign-in: {profile.last_login === null ? 'never' : formatFullTime(profile.last_login)}
          </p>
          <PersonalPanel profile={profile} />
          <PreferencesPanel />
          <PasswordPanel />
          <SecondFactorPanel />
          <SessionsPanel />
          <ToolsPanel />
          <PromptReadsPanel />
          <ExportPanel />
        </div>
      )}
    </>
  );
}

/** Loaded separately, because the list of time zones is as large as the rest of the page. */
const PreferencesPanel = lazyPart(
  () => import('./preferences-panel.tsx'),
  'PreferencesPanel',
  <SkeletonLines count={5} />,
);

/** Loaded separately, because the panel is at the end of the page. */
const ToolsPanel = lazyPart(
  () => import('#features/signed-in-tools/index.ts'),
  'ToolsPanel',
  <SkeletonLines count={2} />,
);

function ExportPanel() {
  const { mutate, isPending } = useMutation({
    mutationFn: saveOwnData,
    onSuccess: (fileName) => showSuccess(`Saved as ${fileName}`),
    onError: (error) => showError(messageOf(error, 'Your data could not be exported')),
  });
  return (
    <Panel label="My data">
      <h2>My data</h2>
      <p className="quiet">
        One JSON file with your profile, preferences, keys (without their secrets), tasks, days of usage,
        requests and chats. Prompts and answers are included if your organization stores them. The export is
        recorded in the audit log.
      </p>
      <div className={styles.actions}>
        <Button variant="default" aria-disabled={isPending} onClick={() => !isPending && mutate()}>
          {isPending ? 'Exporting...' : 'Export my data'}
        </Button>
      </div>
    </Panel>
  );
}

/** A list is recorded once per hour, so it may contain more requests than the record. */
function describeRead({
  action,
  is_list,
  request_ids,
}: Pick<PromptRead, 'action' | 'is_list' | 'request_ids'>) {
  if (!is_list) return `opened ${formatQuantity(request_ids.length, 'request')} of yours`;
  const isExport = action?.startsWith('export') || action === 'listCorrections';
  return `${isExport ? 'exported' : 'opened lists with'} ${formatCount(request_ids.length)} or more requests of yours`;
}

function PromptReadsPanel() {
  const answer = useQuery(promptReadsQuery);
  const failure = describeFailure(answer, 'The readers of your prompts could not be loaded');
  const { data: reads } = answer;
  return (
    <Panel label="Who read my prompts">
      <h2>Who read my prompts</h2>
      {failure && <Failure {...failure} />}
      {!failure && !reads && <SkeletonLines count={2} />}
      {reads?.length === 0 && <p className="quiet">No other user has read your prompts.</p>}
      <PanelRows>
        {reads?.map(({ id, reader_name, read_at, ...read }) => (
          <PanelRow key={id}>
            <p>
              {reader_name ?? 'An operator of the platform'} {describeRead(read)}
            </p>
            <span className="quiet">
              <Time value={read_at} />
            </span>
          </PanelRow>
        ))}
      </PanelRows>
    </Panel>
  );
}

function SessionsPanel() {
  const answer = useQuery(sessionsQuery);
  const failure = describeFailure(answer, 'Your sessions could not be loaded');
  const { mutate } = useEndSession();
  const end = (id: string | null) =>
    mutate(id, {
      onSuccess: () => showSuccess(id === null ? 'All other sessions ended' : 'Session ended'),
      onError: (error) => showError(messageOf(error, 'The session could not be ended')),
    });
  const { data: sessions } = answer;
  return (
    <Panel label="Sessions">
      <h2>Sessions</h2>
      {failure && <Failure {...failure} />}
      {!failure && !sessions && <SkeletonLines count={3} />}
      <PanelRows>
        {sessions?.map(({ id, user_agent, address, last_used_at, is_current }) => (
          <PanelRow key={id}>
            <div>
              <p title={user_agent}>{describeBrowser(user_agent)}</p>
              <p className="quiet">
                {address} · last used <Time value={last_used_at} />
              </p>
            </div>
            {is_current ? (
              <StatusMark kind="ok">This session</StatusMark>
            ) : (
              <Button variant="default" onClick={() => end(id)}>
                End
              </Button>
            )}
          </PanelRow>
        ))}
      </PanelRows>
      {sessions && sessions.length > 1 && (
        <div className={styles.actions}>
          <Button variant="default" onClick={() => end(null)}>
            End all other sessions
          </Button>
        </div>
      )}
    </Panel>
  );
}

function PersonalPanel({ profile }: { profile: UserProfile }) {
  const [step, setStep] = useState<'unchanged' | 'form' | 'closed'>('unchanged');
  return (
    <Panel label="Personal information">
      <h2>Personal information</h2>
      {step === 'form' ? (
        <NameForm profile={profile} onDone={() => setStep('closed')} />
      ) : (
        <>
          <FactList>
            <Fact name="Name">{profile.name}</Fact>
            <Fact name="Email">{profile.email}</Fact>
          </FactList>
          <div className={styles.actions}>
            <Button variant="default" autoFocus={step === 'closed'} onClick={() => setStep('form')}>
              Edit
            </Button>
          </div>
        </>
      )}
    </Panel>
  );
}

function NameForm({ profile, onDone }: { profile: UserProfile; onDone: () => void }) {
  const rename = useRename();
  const form = useContractForm({ schema: updateProfileBody, initialValues: { name: profile.name } });
  return (
    <>
      <Form
        form={form}
        submitLabel="Save Changes"
        pendingLabel="Saving..."
        fallbackProblem="Failed to update profile"
        onSubmit={async ({ name }) => {
          await rename.mutateAsync(name);
          showSuccess('Profile updated');
          onDone();
        }}
      >
        <TextField label="Name" autoComplete="name" autoFocus {...form.bind('name')} />
        <EmailField
          label="Email"
          value={profile.email}
          description="Email cannot be changed"
          disabled
          readOnly
        />
      </Form>
      <div className={styles.actions}>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </>
  );
}
