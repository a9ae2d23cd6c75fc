import type { PermittedModels as Permitted } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Failure } from '#components/ui/notice.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatQuantity } from '#lib/format-number.ts';
import styles from './permitted-models.module.css';
import { permittedModelsQuery } from './standing-queries.ts';

const shownMax = 12;

export function PermittedModels({ userId }: { userId: number }) {
  const answer = useQuery(permittedModelsQuery(userId));
  const { data } = answer;
  const failure = describeFailure(answer, 'Unknown error', 'Error loading the models of the user');
  return (
    <section aria-labelledby="user-models">
      <div className={styles.head}>
        <h3 id="user-models">Models</h3>
        <span>
          <Link to="/admin/provider-access" search={{ explain: userId }}>
            Explain access
          </Link>
        </span>
      </div>
      {failure && <Failure {...failure} />}
      {data ? <ModelList models={data.models} /> : !failure && <SkeletonLines count={3} />}
    </section>
  );
}

function ModelList({ models }: Pick<Permitted, 'models'>) {
  const [isWhole, setWhole] = useState(false);
  if (models.length === 0) return <p className="quiet">The gateway would refuse every model.</p>;
  const shown = isWhole ? models : models.slice(0, shownMax);
  return (
    <>
      <ul className={styles.models}>
        {shown.map(({ model, provider_instance_name, access_source, team_name }) => (
          <li key={model}>
            <code>{model}</code>
            <span className="quiet">
              {provider_instance_name} · {sources[access_source]}
              {team_name !== null && ` ${team_name}`}
            </span>
          </li>
        ))}
      </ul>
      {models.length > shownMax && (
        <button type="button" className={styles.more} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${formatQuantity(models.length, 'model')}`}
        </button>
      )}
    </>
  );
}

const sources: Record<Permitted['models'][number]['access_source'], string> = {
  role: 'by role',
  direct: 'own grant',
  team: 'team',
};
