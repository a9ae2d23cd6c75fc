import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Failure } from '../../components/ui/failure.tsx';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { StatStrip } from '../../components/ui/stat-strip.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { formatLabel } from '../../lib/format-label.ts';
import { formatTokens } from '../../lib/format-number.ts';
import { formatDay, formatFullTime } from '../../lib/format-time.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { formatScore, scoreKind } from '../../lib/score-level.ts';
import { useTimeZone } from '../../lib/time-zone.ts';
import { ExportPanel } from './export-panel.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { PersonalPanel } from './personal-panel.tsx';
import { PromptReadsPanel } from './prompt-reads-panel.tsx';
import { profileQuery } from './queries.ts';
import styles from './screen.module.css';
import { SessionsPanel } from './sessions-panel.tsx';

/** Profile: name, password, sessions and usage. */
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
              { label: 'Total tokens used', value: formatTokens(profile.total_tokens_used) },
              { label: 'Deviation score', value: <Score value={profile.current_deviation_score} /> },
            ]}
          />
          <p className="quiet">
            Last sign-in: {profile.last_login === null ? 'never' : formatFullTime(profile.last_login)}
          </p>
          <PersonalPanel profile={profile} />
          <PreferencesPanel />
          <PasswordPanel />
          <SessionsPanel />
          <PromptReadsPanel />
          <ExportPanel />
        </div>
      )}
    </>
  );
}

/** Loaded separately, since the list of time zones is as large as the rest of the page. */
const PreferencesPanel = lazyPart(
  () => import('./preferences-panel.tsx'),
  'PreferencesPanel',
  <SkeletonLines count={5} />,
);

function Score({ value }: { value: number }) {
  return <StatusMark kind={scoreKind(value)}>{formatScore(value)}</StatusMark>;
}
