import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { homePathOf } from '#lib/home-path.ts';
import { currentUserQuery } from '#lib/session.ts';
import lanesStyles from '../ui/lanes.module.css';
import { Mark } from '../ui/mark.tsx';
import styles from './visitor-page.module.css';

const laneCount = 104;
const spacing = 28;
const height = 2000;
const period = 26;
const openLanes = new Set([3, 4, 9, 10, 11, 16, 20, 21]);

interface LanesProps {
  /** In pixels from the top. */
  gatesFromPx: number;
}

/** Illustration of a sluice: some lanes are open, others are closed by a gate. */
function Lanes({ gatesFromPx }: LanesProps) {
  return (
    <svg className={lanesStyles.lanes} width={laneCount * spacing} height={height} aria-hidden="true">
      {Array.from({ length: laneCount }, (_, index) => {
        const x = spacing / 2 + index * spacing;
        const gateY = gatesFromPx + ((index * 73) % 170);
        return openLanes.has(index % period) ? (
          <path key={x} className={lanesStyles.open} d={`M${x} 0V${height}`} />
        ) : (
          <g key={x}>
            <path className={lanesStyles.shut} d={`M${x} 0V${gateY}`} />
            <path className={lanesStyles.gate} d={`M${x - 7} ${gateY}h14`} />
          </g>
        );
      })}
    </svg>
  );
}

interface VisitorPageProps {
  title: string;
  subtitle: string;
  children: ReactNode;
  footer?: ReactNode;
}

/** Layout for visitors who are not signed in: a form next to the illustration. */
export function VisitorPage({ title, subtitle, children, footer }: VisitorPageProps) {
  const { data: user } = useQuery(currentUserQuery);
  return (
    <div className={styles.page}>
      <div className={styles.side}>
        <header>
          <Link to={user ? homePathOf(user) : '/'} className={styles.home}>
            <Mark />
          </Link>
        </header>
        <main className={styles.main}>
          <h1 className={styles.title}>{title}</h1>
          <p className={styles.subtitle}>{subtitle}</p>
          {children}
        </main>
        {footer}
      </div>
      <div className={styles.art}>
        <Lanes gatesFromPx={190} />
      </div>
    </div>
  );
}
