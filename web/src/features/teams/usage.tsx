import type { Team, TeamUsage as Usage } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { SpendSection } from '#components/charts/spend-section.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatUsd } from '#lib/format-money.ts';
import { formatQuantity } from '#lib/format-number.ts';
import { teamUsageQuery } from './queries.ts';
import styles from './usage.module.css';

interface TeamUsageProps {
  team: Team;
  isAdministrator: boolean;
}

export function TeamUsage({ team, isAdministrator }: TeamUsageProps) {
  const answer = useQuery(teamUsageQuery(team.id));
  const { data } = answer;
  const failure = describeFailure(answer, 'Failed to fetch team details');
  if (failure && !data) return <Failure {...failure} />;
  return (
    <div className={styles.usage}>
      <SpendSection
        name={team.name}
        spend={team}
        days={data?.days}
        {...(isAdministrator && { place: { team: team.id } })}
      />
      {data && <TopUsers users={data.top_users} isAdministrator={isAdministrator} />}
      {data && <Models models={data.models} />}
    </div>
  );
}

function TopUsers({ users, isAdministrator }: { users: Usage['top_users']; isAdministrator: boolean }) {
  return (
    <Ranking
      title="Top users, 30 days"
      none="The team's grants have not been used."
      rows={users.map(({ user_id, user_name, ...used }) => ({
        key: String(user_id),
        name: isAdministrator ? (
          <Link to="/admin/users" search={{ open: user_id }}>
            {user_name}
          </Link>
        ) : (
          user_name
        ),
        ...used,
      }))}
    />
  );
}

function Models({ models }: { models: Usage['models'] }) {
  return (
    <Ranking
      title="Models, 30 days"
      none="No models are granted to the team."
      rows={models.map(({ model, is_granted, ...used }) => ({
        key: model,
        name: (
          <>
            <code>{model}</code>
            {!is_granted && <span className="quiet"> no longer granted</span>}
          </>
        ),
        ...used,
      }))}
    />
  );
}

interface RankingProps {
  title: string;
  none: string;
  rows: readonly { key: string; name: ReactNode; requests: number; cost_usd: number }[];
}

function Ranking({ title, none, rows }: RankingProps) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {rows.length === 0 && <p className="quiet">{none}</p>}
      <ul className={`num ${styles.ranking}`}>
        {rows.map(({ key, name, requests, cost_usd }) => (
          <li key={key}>
            <span className={styles.name}>{name}</span>
            <span className="quiet">{formatQuantity(requests, 'request')}</span>
            <strong>{formatUsd(cost_usd)}</strong>
          </li>
        ))}
      </ul>
    </section>
  );
}
