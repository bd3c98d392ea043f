// Names, columns and figures are those of the descriptions and checks of mcpmark's tasks; rows that these do not name are ours.
import type { NewColumn } from '../../src/tools/contract/databases.ts';
import type { Cells, Task } from './databases.ts';

/** Tasks whose pages are needed, or what Notion alone has. */
export const NOT_HAD = [
  'goals_restructure',
  'quarterly_review_dashboard',
  'code_snippets_go',
  'study_session_tracker',
  'verification_expired_update',
  'layout_adjustment',
  'projects_section_update',
  'skills_development_tracker',
  'work_history_addition',
  'expert_level_lessons',
  'learning_metrics_dashboard',
  'faq_column_layout',
  'hyperfocus_analysis_report',
  'numbered_list_emojis',
  'deployment_process_sop',
  'section_organization',
  'change_color',
];

const column = (name: string, type: NewColumn['type'], options?: readonly string[]): NewColumn => ({
  name,
  type,
  ...(options ? { options } : {}),
});
const list = (cell: string | undefined): readonly string[] => (cell ?? '').split(', ').filter((each) => each !== '');
const has = (row: Cells, name: string, option: string): boolean => list(row[name]).includes(option);
const lines = (blocks: readonly string[]): readonly string[] => blocks.flatMap((block) => block.split('\n')).map((line) => line.trim());
const isMissing = (blocks: readonly string[], wanted: string): string | false =>
  !lines(blocks).includes(wanted) && `“${wanted}” is missing`;
const counts = (prefix: RegExp, blocks: readonly string[]): number => lines(blocks).filter((line) => prefix.test(line)).length;

const PROJECTS: readonly (readonly [string, number | null, number, string, string])[] = [
  ['Improve response times for support requests', 100, 0.33, '2024-10-30', '2024-11-17'],
  ['Add a new social media integration', 200, 0.4, '2024-11-07', '2024-11-25'],
  ['Integrate with a popular third-party service', 250, 0.2, '2024-11-10', '2024-11-18'],
  ['Create customer knowledge base', 150, 0.4, '2024-11-19', '2024-11-25'],
  ['Redesign the onboarding process', 300, 0.75, '2024-11-20', '2024-12-04'],
  ['Publish support knowledge base', null, 0, '2024-11-27', '2024-11-29'],
];
const HEADERS = ['Project', 'Eng Hours', 'Progress', 'Start Date', 'End Date'];
const tableLine = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const priorityTable: Task = {
  name: 'priority_tasks_table',
  async do({ page, tool, rows }) {
    const dates = (row: Cells): readonly string[] => (row.Dates ?? '').split(' / ');
    const those = (await rows('Projects')).rows.filter(
      (row) => Number(row.Progress) <= 0.5 || (row.Priority === 'P0' && Number(row.Progress) < 1),
    );
    const sorted = [...those].sort((one, other) => (dates(one)[1] ?? '').localeCompare(dates(other)[1] ?? ''));
    const body = sorted.map((row) => [
      row.Name ?? '',
      row['Eng Hours'] ?? 'N/A',
      `${Math.round(100 * Number(row.Progress))}%`,
      ...dates(row),
    ]);
    const markdown = [HEADERS, HEADERS.map(() => '---'), ...body].map(tableLine).join('\n');
    await tool('insert_blocks', { anchor: page, position: 'append', markdown });
  },
  async check({ note }) {
    const [, , ...rows] = lines(await note()).filter((line) => line.startsWith('|'));
    const cells = rows.map((row) =>
      row
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    );
    const ends = cells.map((row) => row[4] ?? '');
    const wrong = PROJECTS.filter(([title, hours, progress, start, end]) => {
      const row = cells.find((each) => each[0] === title);
      return row?.join() !== [title, hours ?? 'N/A', `${Math.round(100 * progress)}%`, start, end].join();
    });
    return [
      ...wrong.map(([title]) => `no row “${title}”`),
      cells.length !== 6 && `${cells.length} rows`,
      ends.join() !== [...ends].sort().join() && 'not sorted',
    ];
  },
};

/** How many of each kind are packed in the end, of how many. */
const PACKED: Readonly<Record<string, readonly [number, number]>> = {
  ...{ Clothes: [12, 13], Electronics: [1, 10], Essentials: [1, 12], Miscellaneous: [0, 10], Shoes: [0, 2], Toiletries: [0, 19] },
};

const packing: Task = {
  name: 'packing_progress_summary',
  async do({ page, tool, rows }) {
    const { id, rows: all } = await rows('Packing List');
    const packed = all.filter(
      (row) => (has(row, 'Type', 'Clothes') && row.Name !== 'Hat') || row.Name === 'SIM Card' || row.Name === 'Wallet',
    );
    await tool('db_write', { id, op: 'set_cells', rows: packed.map(({ row }) => ({ row, values: { Packed: true } })) });
    const stats = Object.keys(PACKED).map((type) => {
      const [those, of] = [packed, all].map((each) => each.filter((row) => has(row, 'Type', type)).length);
      return `- ${type}: ${those}/${of} packed`;
    });
    const [, heading = ''] = /\[?(\d{14}-\w{7})[^\n]*Packing List 💼/u.exec(await tool('read_doc', { id: page })) ?? [];
    await tool('insert_blocks', { anchor: heading, position: 'after', markdown: `**Packing Progress Summary**\n\n${stats.join('\n')}` });
  },
  async check({ table, note }) {
    const rows = await table('Packing List');
    const wrong = rows.filter((row) => has(row, 'Type', 'Clothes') && (row.Packed === 'true') === (row.Name === 'Hat'));
    const [heading, title, ...stats] = await note();
    return [
      ...wrong.map(({ Name }) => `${Name} is wrong`),
      ...['SIM Card', 'Wallet'].map((name) => rows.find((row) => row.Name === name)?.Packed !== 'true' && `${name} is not packed`),
      heading !== '## Packing List 💼' && 'the heading is not first',
      title !== '**Packing Progress Summary**' && `no summary: ${title}`,
      ...Object.entries(PACKED).map(([type, [those, of]]) => isMissing(stats, `- ${type}: ${those}/${of} packed`)),
    ];
  },
};

const DAYS = ['Day 1', 'Day 2', 'Day 3'];
const LATE = ['Rikuro’s Namba Main Branch', 'Shin Sekai "New World"', 'Katsudon Chiyomatsu', 'Ebisubashi Bridge'];
const KEPT = ['Kuromon Ichiba Market', 'A morning of ours', 'An evening in Kyoto', 'A last evening'];

const osaka: Task = {
  name: 'remove_osaka_itinerary',
  async do({ tool, rows }) {
    const { id, rows: all } = await rows('Travel Itinerary');
    await tool('db_write', { id, op: 'remove_rows', rows: all.filter(({ Name = '' }) => LATE.includes(Name)).map(({ row }) => ({ row })) });
  },
  async check({ table }) {
    const left = (await table('Travel Itinerary')).map(({ Name }) => Name);
    return [left.join() !== KEPT.join() && `left: ${left.join()}`];
  },
};

const EATEN = ['Katsudon Chiyomatsu', 'Rikuro’s Namba Main Branch', 'Ichiran'];

const expenses: Task = {
  name: 'restaurant_expenses_sync',
  async do({ tool, rows }) {
    const { rows: plan } = await rows('Travel Itinerary');
    const { rows: places } = await rows('Japan Places to Visit');
    const { id } = await rows('Expenses');
    const added = plan
      .filter((row) => row.Day === 'Day 1' && has(row, 'Type', 'Food'))
      .map(({ Name }) => {
        const Comment = places.find((place) => place.Name === Name)?.Description ?? '';
        return { title: Name, values: { Date: '2025-01-01', 'Transaction Amount': 120, Category: ['Dining'], Comment } };
      });
    await tool('db_write', { id, op: 'add_rows', rows: added });
  },
  async check({ table }) {
    const rows = await table('Expenses');
    return EATEN.map((name) => {
      const row = rows.find(({ Expense }) => Expense === name);
      const got = [row?.Date, row?.['Transaction Amount'], row?.Category, row?.Comment].join('; ');
      return got !== `2025-01-01; 120; Dining; What ${name} is known for.` && `${name}: ${got}`;
    });
  },
};

const ACTIVITIES: readonly (readonly [string, string, string, boolean])[] = [
  ['Osaka Castle', 'Day 1', 'Osaka', true],
  ['Kuromon Ichiba Market', 'Day 1', 'Osaka', false],
  ['Shin Sekai', 'Day 2', 'Osaka', true],
  ['Fushimi Inari', 'Day 3', 'Kyoto', true],
];
const HEADS = ['🌅 Day 1', '🌆 Day 2', '🌃 Day 3'];
const toDo = ([name, , city, visited]: (typeof ACTIVITIES)[number]): string => `- [${visited ? 'X' : ' '}] ${name} - ${city}`;

const overview: Task = {
  name: 'daily_itinerary_overview',
  async do({ tool, rows }) {
    const { rows: all } = await rows('Travel Itinerary');
    const visited = all.filter((row) => row.Visited === 'true').length;
    const days = DAYS.map((day, index) => {
      const those = all.filter((row) => row.Day === day).map((row) => toDo([row.Name ?? '', day, row.Group ?? '', row.Visited === 'true']));
      return `## ${HEADS[index]}\n\n${those.join('\n')}`;
    });
    const total = `Total activities visited (from Day 1 to Day 3): ${visited}`;
    const markdown = ['# 📅 Daily Itinerary Overview', '## 📊 Trip Summary', total, ...days].join('\n\n');
    await tool('create_doc', { notebook: 'Hub', path: '/Japan Travel Planner/Daily Itinerary Overview', markdown });
  },
  async check({ note }) {
    const blocks = await note('Daily Itinerary Overview');
    const wanted = ['# 📅 Daily Itinerary Overview', '## 📊 Trip Summary', ...HEADS.map((head) => `## ${head}`), ...ACTIVITIES.map(toDo)];
    return [...wanted, 'Total activities visited (from Day 1 to Day 3): 3'].map((each) => isMissing(blocks, each));
  },
};

const EXPIRED: Readonly<Record<string, string>> = {
  '192371-8910/54': 'Computer Accessory',
  '32x11PIP': 'Computer Accessory',
  '76x87PCY': 'Laptop',
  '36x10PIQ': 'Computer Accessory',
  '65XYQ/GB': 'License',
};
const TICKET = 'Quarterly Security Audit - Expired Assets Review';

const audit: Task = {
  name: 'security_audit_ticket',
  async do({ tool, rows }) {
    const expired = (await rows('IT Inventory')).rows.filter((row) => (row['Expiration date'] ?? '') < '2023-07-15');
    const advice = (await rows('IT FAQs')).rows.find((row) => has(row, 'Tags', 'Security'))?.Name;
    const { id } = await rows('IT Requests');
    const markdown = expired.map(({ Serial, Tags }) => `- ${Serial} - ${list(Tags)[0]} - ${advice}`).join('\n');
    const made = await tool('create_doc', { notebook: 'Hub', path: `/IT Trouble Shooting Hub/${TICKET}`, markdown });
    const [, block] = /\[(\d{14}-\w{7})\]/u.exec(made) ?? [];
    await tool('db_write', { id, op: 'add_rows', rows: [{ block, values: { Priority: 'High', Due: '2023-06-22' } }] });
  },
  async check({ table, note }) {
    const ticket = (await table('IT Requests')).find(({ Name }) => Name === TICKET);
    const items = lines(await note(TICKET)).filter((line) => line.startsWith('- '));
    return [
      (ticket?.Priority !== 'High' || ticket.Due !== '2023-06-22') && 'the ticket is not there as wanted',
      items.length !== 5 && `${items.length} items`,
      ...Object.entries(EXPIRED).map(
        ([serial, tag]) => !items.some((item) => item.startsWith(`- ${serial} - ${tag} - `)) && `no ${serial}`,
      ),
    ];
  },
};

const REASONS = ['Expired License', 'Hardware Obsolete', 'Security Risk', 'User Offboarding'];
const QUEUE = 'IT Asset Retirement Queue';
const MIGRATED = 'AUTO-GENERATED MIGRATION COMPLETED';

/** The description of a database, which SiYuan has not, is a text above it. */
const retirement: Task = {
  name: 'asset_retirement_migration',
  async do({ tool, rows }) {
    const { id, rows: all } = await rows('IT Inventory');
    const those = all.filter(({ Status }) => Status === 'Expired' || Status === 'To be returned');
    const path = `/IT Trouble Shooting Hub/${QUEUE}`;
    const made = await tool('create_doc', { notebook: 'Hub', path, markdown: MIGRATED });
    const [, note] = /\[(\d{14}-\w{7})\]/u.exec(made) ?? [];
    const columns = [
      ...[column('Tags', 'multi-select', ['Computer Accessory', 'License']), column('Status', 'select', ['Expired', 'To be returned'])],
      ...[column('Vendor', 'select', ['Ours']), column('Expiration date', 'date'), column('Retirement Reason', 'select', REASONS)],
    ];
    const [, queue] = /\[(\d{14}-\w{7})\]/u.exec(await tool('db_create', { id: note, name: QUEUE, columns })) ?? [];
    await tool('db_write', { id: queue, op: 'columns', columns: [{ op: 'rename', column: 'Name', name: 'Serial' }] });
    const added = those.map(({ Serial, Tags, Status, Vendor, 'Expiration date': date }) => {
      const values = {
        Tags: list(Tags),
        Status,
        Vendor,
        'Expiration date': date,
        'Retirement Reason': REASONS[Status === 'Expired' ? 0 : 3],
      };
      return { title: Serial, values };
    });
    await tool('db_write', { id: queue, op: 'add_rows', rows: added });
    await tool('db_write', { id, op: 'remove_rows', rows: those.map(({ row }) => ({ row })) });
    const markdown = `> [!NOTE]\n> Successfully migrated ${those.length} assets to the retirement queue on 2025-03-24.`;
    await tool('create_doc', { notebook: 'Hub', path: '/IT Trouble Shooting Hub/Retirement Migration Log', markdown });
  },
  async check({ table, columns, note }) {
    const types = (await columns(QUEUE)).map(({ name, type }) => `${name} ${type}`).join();
    const [queue, left] = [await table(QUEUE), await table('IT Inventory')];
    const options = (await columns(QUEUE)).at(-1)?.options ?? [];
    return [
      types !== 'Serial block,Tags mSelect,Status select,Vendor select,Expiration date date,Retirement Reason select' && types,
      options.join() !== REASONS.join() && `options ${options.join()}`,
      queue
        .map(({ Serial }) => Serial)
        .sort()
        .join() !== '36x10PIQ,65XYQ/GB' && `${queue.length} in the queue`,
      queue.some((row) => !REASONS.includes(row['Retirement Reason'] ?? '')) && 'a reason is missing',
      left.some(({ Status }) => Status !== 'In use') && 'some are left in the inventory',
      isMissing(await note(QUEUE), MIGRATED),
      !(await note('Retirement Migration Log')).join('\n').includes('migrated 2 assets to the retirement queue on 2025-03-24.') && 'no log',
    ];
  },
};

const COURSES = ['CS301', 'CS302', 'CS303'];
const FIRMS = ['OpenAI', 'Google'];
const ROLES = ['Machine Learning Intern', 'Software Engineering Intern'];

const courses: Task = {
  name: 'courses_internships_relation',
  async do({ tool, rows }) {
    const { id } = await rows('Courses');
    const { id: other } = await rows('Internship search');
    await tool('db_write', { id, op: 'columns', columns: [{ op: 'add', name: 'Related Internships', type: 'relation', target: other }] });
    await tool('db_write', { id: other, op: 'columns', columns: [{ op: 'add', name: 'Relevant Courses', type: 'relation', target: id }] });
    const names = ['Computer Networks', 'Operating Systems', 'Machine Learning'];
    const internships = FIRMS.map((Company, index) => ({ title: ROLES[index], values: { Company, Status: 'Interested' } }));
    await tool('db_write', { id: other, op: 'add_rows', rows: internships });
    const added = COURSES.map((Code, index) => ({
      title: names[index],
      values: { Code, Credit: 3, Status: 'Planned', 'Related Internships': [ROLES[index % 2] ?? ''] },
    }));
    await tool('db_write', { id, op: 'add_rows', rows: added });
    const fresh = (await rows('Internship search')).rows.filter(({ Company = '' }) => FIRMS.includes(Company));
    const links = fresh.map(({ row }, index) => ({ row, values: { 'Relevant Courses': names.filter((_, at) => at % 2 === index) } }));
    await tool('db_write', { id: other, op: 'set_cells', rows: links });
  },
  async check({ table, columns }) {
    const [those, internships] = [await table('Courses'), await table('Internship search')];
    const isRelation = async (database: string, name: string) =>
      !(await columns(database)).some((each) => each.name === name && each.type === 'relation') && `${name} is no relation`;
    const ofCourses = COURSES.map((code) => those.find(({ Code }) => Code === code));
    const ofFirms = FIRMS.map((firm) => internships.find(({ Company }) => Company === firm));
    return [
      await isRelation('Courses', 'Related Internships'),
      await isRelation('Internship search', 'Relevant Courses'),
      ofCourses.some((row) => !row?.Name || !row.Credit || !row.Status || !row['Related Internships']) && 'a course is not complete',
      ofFirms.some((row) => !row?.Role || row.Status !== 'Interested' || !row['Relevant Courses']) && 'an internship is not complete',
      ofCourses.some((row) => !ROLES.some((role) => row?.['Related Internships']?.includes(role))) &&
        `linked elsewhere: ${ofCourses[0]?.['Related Internships']}`,
    ];
  },
};

const weekend: Task = {
  name: 'weekend_adventure_planner',
  async do({ tool, rows }) {
    const beaches = (await rows('Activities')).rows.filter((row) => has(row, 'Tags', 'Beaches'));
    const food = (await rows('Food')).rows.filter(({ Tags }) => Tags === 'Turkish' || Tags === 'Hakka');
    const cafes = (await rows('Cafes')).rows;
    const links = beaches.map((row) => `- ${row.Name}${row['Google Maps Link'] ? ` - ${row['Google Maps Link']}` : ''}`);
    const dining = food.map(({ Name, Tags }, index) => `${index + 1}. ${Name} (Tag: ${Tags})`);
    const summary = `This weekend includes ${beaches.length} beach activities, ${food.length} cultural dining options, and ${cafes.length} coffee spots to explore!`;
    const tip = '> [!TIP] 💡\n> Pro tip: Check the Seasons database for the best time to enjoy outdoor activities!';
    const markdown = [
      ...[
        '# 🎒 Perfect Weekend Adventure',
        '## 🏖️ Beach Activities',
        links.join('\n'),
        '## 🍽️ Cultural Dining Experience',
        dining.join('\n'),
      ],
      ...['## ☕ Coffee Break Spots', `- Top Cafes to Visit\n${cafes.map(({ Name }) => `  - [ ] ${Name}`).join('\n')}`],
      ...['## 📊 Weekend Summary', summary, '---', tip],
    ].join('\n\n');
    await tool('create_doc', { notebook: 'Hub', path: '/Toronto Guide/Perfect Weekend Adventure', markdown });
  },
  async check({ note }) {
    const blocks = await note('Perfect Weekend Adventure');
    const wanted = [
      ...['# 🎒 Perfect Weekend Adventure', '## 🏖️ Beach Activities', '## 🍽️ Cultural Dining Experience', '## ☕ Coffee Break Spots'],
      ...['## 📊 Weekend Summary', '- Woodbine Beach - https://maps.example/woodbine', '- Cherry Beach', '1. Mustafa (Tag: Turkish)'],
      ...['2. Federick (Tag: Hakka)', '- [ ] Dineen', '- [ ] Jimmy’s', '---'],
      'This weekend includes 2 beach activities, 2 cultural dining options, and 2 coffee spots to explore!',
    ];
    return [...wanted.map((each) => isMissing(blocks, each)), !blocks.at(-1)?.includes('Pro tip: Check the Seasons database') && 'no tip'];
  },
};

const PEOPLE = ['5ac96c02', 'ac7a3bd0', 'ours'];
const swap: Task = {
  name: 'swap_tasks',
  async do({ tool, rows }) {
    const { id, rows: all } = await rows('Tasks');
    const [least, most] = PEOPLE;
    const swapped = all.filter(({ Assigned }) => Assigned === least || Assigned === most);
    const changes = swapped.map(({ row, Assigned }) => ({ row, values: { Assigned: Assigned === least ? most : least } }));
    await tool('db_write', { id, op: 'set_cells', rows: changes });
  },
  async check({ table }) {
    const rows = await table('Tasks');
    const [least, most] = PEOPLE.map((who) => rows.filter(({ Assigned }) => Assigned === who).length);
    const of = (name: string) => rows.find(({ Name }) => Name === name)?.Assigned;
    const isOne = of('Develop a plan for promotion') === of('Evaluate different third-party services');
    return [
      (least !== 10 || most !== 3) && `${least} and ${most}`,
      isOne && 'both are of one person',
      rows.length !== 18 && 'tasks are missing',
    ];
  },
};

const POLICIES = ['Benefits policy', 'Vacation Policy', 'Corporate travel'];
const CHECKLIST = 'Employee Onboarding Checklist';
const DEPARTMENTS = ['Product', 'Marketing', 'Sales', 'HR', 'Engineering'];

const onboarding: Task = {
  name: 'employee_onboarding',
  async do({ page, tool }) {
    const ids: string[] = [];
    const make = async (path: string, markdown: string): Promise<string> =>
      /\[(\d{14}-\w{7})\]/u.exec(await tool('create_doc', { notebook: 'Hub', path, markdown }))?.[1] ?? '';
    for (const name of POLICIES) ids.push(await make(`/Company In A Box/${name}`, 'Text.'));
    const link = (index: number): string => `((${ids[index % 3]} "${POLICIES[index % 3]}"))`;
    const steps = Array.from({ length: 7 }, (_, index) => `${index + 1}. Step ${index + 1}: read ${link(index)}`);
    const markdown = [
      ...['## Benefits Overview', POLICIES.map((_, index) => `- ${link(index)}`).join('\n'), '## 30-Day Timeline', steps.join('\n')],
      ...['## Feedback Form', '- [ ] Tools\n- [ ] Team\n- [ ] Tasks'],
    ].join('\n\n');
    const hub = await make('/Company In A Box/Onboarding Hub', markdown);
    const columns = [column('Start Date', 'date'), column('Department', 'select', DEPARTMENTS)];
    const first = /blocks: (\d{14}-\w{7})/u.exec(await tool('read_doc', { id: hub }))?.[1];
    const made = await tool('db_create', { id: first ?? hub, name: CHECKLIST, columns });
    const [, database] = /\[(\d{14}-\w{7})\]/u.exec(made) ?? [];
    await tool('db_write', { id: database, op: 'columns', columns: [{ op: 'rename', column: 'Name', name: 'Employee Name' }] });
    const added = DEPARTMENTS.slice(0, 3).map((Department, index) => ({
      title: `Person ${index + 1}`,
      values: { Department, 'Start Date': '2025-01-06' },
    }));
    await tool('db_write', { id: database, op: 'add_rows', rows: added });
    await tool('db_read', { id: page });
  },
  async check({ table, columns, note }) {
    const [those, rows, blocks] = [await columns(CHECKLIST), await table(CHECKLIST), await note('Onboarding Hub')];
    const types = those.map(({ name, type }) => `${name} ${type}`).join();
    return [
      types !== 'Employee Name block,Start Date date,Department select' && types,
      DEPARTMENTS.some((each) => !those[2]?.options.includes(each)) && 'an option is missing',
      (rows.length < 3 || rows.some((row) => !row['Start Date'] || !row.Department)) && 'rows are missing',
      new Set(blocks.join('\n').match(/\d{14}-\w{7}/gu)).size < 3 && 'links are missing',
      counts(/^\d+\. /u, blocks) < 7 && 'steps are missing',
      counts(/^- \[ \] /u, blocks) < 3 && 'nothing to check off',
    ];
  },
};

export const TASKS: readonly Task[] = [
  priorityTable,
  osaka,
  packing,
  swap,
  expenses,
  overview,
  audit,
  retirement,
  courses,
  weekend,
  onboarding,
];
