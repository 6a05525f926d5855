/** Our icons, drawn in lines of one width. They are decorative: a label or button name comes with them. */
const paths = {
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.3 15.3 20 20',
  home: 'M4 11 12 4l8 7v9h-5v-6H9v6H4Z',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 20c.4-3.8 3-6 6.500-6s6.100 2.200 6.500 6M16 4.300a3.500 3.500 0 0 1 0 6.400M18 14.500c2 .8 3.200 2.700 3.500 5.500',
  person: 'M12 11.500a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4 20.500c.6-4 3.700-6.500 8-6.500s7.400 2.500 8 6.500',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  mail: 'M3 6h18v12H3ZM3 7l9 6.500L21 7',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 11v5M12 8h.01',
  star: 'm12 3.500 2.600 5.400 5.900.8-4.300 4.100 1.100 5.900-5.300-2.900-5.300 2.900 1.100-5.900L3.500 9.700l5.900-.8Z',
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6 6 18',
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  left: 'M15 5l-7 7 7 7',
  right: 'M9 5l7 7-7 7',
  farLeft: 'M12 5l-7 7 7 7M19 5l-7 7 7 7',
  farRight: 'M5 5l7 7-7 7M12 5l7 7-7 7',
  fold: 'M5 9l7 7 7-7',
  filter: 'M4 5h16l-6.500 8v6l-3-1.500V13Z',
  columns: 'M4 5h16v14H4ZM9.300 5v14M14.700 5v14',
  upload: 'M12 15V4M7 8l5-5 5 5M5 20h14',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  bookmark: 'M7 4h10v16l-5-4-5 4Z',
  edit: 'M4 20h4L19 9l-4-4L4 16ZM13 7l4 4',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.500 11v5M13.500 11v5',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 2.500v2M12 19.500v2M2.500 12h2M19.500 12h2M5.300 5.300l1.400 1.400M17.300 17.300l1.400 1.400M18.700 5.300l-1.400 1.400M6.700 17.300l-1.400 1.400',
  moon: 'M19.500 14.500A8 8 0 0 1 9.500 4.500a8 8 0 1 0 10 10Z',
  menu: 'M4 7h16M4 12h16M4 17h16',
  key: 'M8 16.500a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 12.500h9M17.500 12.500v3.500M20.500 12.500v2.500',
  cases: 'M4 8h16v12H4ZM9 8V4.500h6V8M4 13h16',
  building: 'M5 20.500V4h9v16.500M14 9h5v11.500M3 20.500h18M8 8h3M8 12h3M8 16h3',
  money: 'M3 6.500h18v11H3ZM12 14.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5ZM6 12h.01M18 12h.01',
  pause: 'M9 5v14M15 5v14',
  play: 'M7 5l12 7-12 7Z',
  copy: 'M9 9h11v11H9ZM15 9V4H4v11h5',
  check: 'M5 12.500l5 5 9-11',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  calendar: 'M4 6h16v14H4ZM4 10.500h16M8 3.500V8M16 3.500V8',
  jobs: 'M12 7v5l3.500 2M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z',
  hook: 'M8 15a4 4 0 1 0 4 4V9.500M9.500 7a2.500 2.500 0 1 1 5 0c0 1-.6 1.800-1.200 2.500M16 15.500a3.500 3.500 0 1 1-1.500 6.600',
  rate: 'M6 18 18 6M7.500 9.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM16.500 18.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  fields: 'M4 5h16v5H4ZM4 14h9v5H4ZM17 14v5M14.500 16.500h5',
  settings:
    'M5 7h8M17 7h2M5 17h2M11 17h8M15 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM9 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  chart: 'M4 4v16h16M8.500 16v-4M13 16V8M17.500 16v-6.500',
  bolt: 'M13 3 5 14h6l-1 7 8-11h-6Z',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l1.500 1.500h-15ZM10 21h4',
  message: 'M4 5h16v11H10l-4 4v-4H4Z',
  approve: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM8 12.500l3 3 5-6',
  scale: 'M12 4v16M7 20h10M5 7h14M5 7l-3 7a3 3 0 0 0 6 0ZM19 7l-3 7a3 3 0 0 0 6 0Z',
  shield: 'M12 3.500l7.500 2.500v6c0 4.500-3 7.500-7.500 9-4.500-1.500-7.500-4.500-7.500-9V6Z',
  flag: 'M6 21V4M6 4.500h12l-2.500 4.200L18 13H6',
  inbox: 'M4 13l2.500-8h11L20 13v6H4ZM4 13h5l1.500 2.500h3L15 13h5',
  document: 'M6 3.500h8l4 4v13H6ZM14 3.500v4h4M9 12.500h6M9 16h6',
} as const
export type IconName = keyof typeof paths

export function Icon({
  name,
  size = 18,
  filled = false,
}: {
  name: IconName
  size?: number
  filled?: boolean
}) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={filled ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  )
}
