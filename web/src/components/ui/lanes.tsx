import styles from './lanes.module.css';

const laneCount = 26;
const spacing = 28;
const height = 900;
const openLanes = new Set([3, 4, 9, 10, 11, 16, 20, 21]);
const lanes = Array.from({ length: laneCount }, (_, index) => ({
  x: spacing / 2 + index * spacing,
  isOpen: openLanes.has(index),
  gateY: 200 + ((index * 73) % 170),
}));

/** The sluice itself: some lanes run, some are shut by a gate. */
export function Lanes() {
  return (
    <svg
      className={styles.lanes}
      viewBox={`0 0 ${laneCount * spacing} ${height}`}
      preserveAspectRatio="xMidYMin slice"
      aria-hidden="true"
    >
      {lanes.map(({ x, isOpen, gateY }) =>
        isOpen ? (
          <path key={x} className={styles.open} d={`M${x} 0V${height}`} />
        ) : (
          <g key={x}>
            <path className={styles.shut} d={`M${x} 0V${gateY}`} />
            <path className={styles.gate} d={`M${x - 7} ${gateY}h14`} />
          </g>
        ),
      )}
    </svg>
  );
}
