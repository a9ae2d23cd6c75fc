import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Lanes } from '../ui/lanes.tsx';
import { Mark } from '../ui/mark.tsx';
import styles from './visitor-page.module.css';

interface VisitorPageProps {
  title: string;
  subtitle: string;
  children: ReactNode;
  footer?: ReactNode;
}

/** Layout for visitors who are not signed in: one form next to the illustration. */
export function VisitorPage({ title, subtitle, children, footer }: VisitorPageProps) {
  return (
    <div className={styles.page}>
      <div className={styles.side}>
        <header>
          <Link to="/" className={styles.home}>
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
        <Lanes gatesFrom={190} />
      </div>
    </div>
  );
}
