import { expect, test } from 'vitest';
import {
  isJsonObject,
  parseJson,
  renderJson,
  type JsonObject,
  type JsonValue,
} from '../../contract/json/value.ts';
import { loadContract } from '../../contract/load.ts';
import { judgeDocument, listIds, loadYaml } from '../../test/conformance/judge-document.ts';
import { createStillClock } from '../../test/conformance/still-clock.ts';
import { fixtureFile } from '../../test/contract/sample.ts';
import { runConformance, type RunReport, type Sender } from '../index.ts';

/** A plain server of projects with tasks, and the ways in which it may be wrong. */
class TaskServer {
  readonly projects = new Map<number, { name: string; tasks: Map<number, JsonObject> }>();
  #given = 0;
  readonly #counts = new Map<number, number>();

  handle(method: string, path: string, query: URLSearchParams, body: JsonValue): Answer {
    const [, , id, , no] = path.split('/');
    if (id === undefined) return this.handleProjects(method, body);
    const project = this.projects.get(Number(id));
    if (project === undefined) return missing;
    if (!path.includes('/tasks')) {
      if (method === 'DELETE') return this.removeProject(Number(id));
      return { status: 200, body: { id: Number(id), name: project.name } };
    }
    if (no === undefined) {
      if (method === 'GET') return { status: 200, body: this.list(project.tasks, query) };
      return isTask(body) ? this.add(Number(id), project.tasks, body) : refused;
    }
    const task = this.find(project.tasks, Number(no));
    if (task === undefined) return missing;
    if (method === 'DELETE') return this.remove(project.tasks, Number(no));
    if (method === 'GET') return { status: 200, body: task };
    if (!isTask(body, method === 'PATCH')) return refused;
    return this.change(project.tasks, Number(no), method === 'PUT' ? {} : task, body);
  }

  handleProjects(method: string, body: JsonValue): Answer {
    if (method === 'GET')
      return { status: 200, body: [...this.projects].map(([id, { name }]) => ({ id, name })) };
    const name = isJsonObject(body) ? body['name'] : undefined;
    if (typeof name !== 'string' || !isOfLength(name, 80)) return refused;
    this.#given += 1;
    this.projects.set(this.#given, { name, tasks: new Map() });
    return { status: 201, body: { id: this.#given, name } };
  }

  removeProject(id: number): Answer {
    this.projects.delete(id);
    return { status: 204 };
  }

  list(tasks: Tasks, query: URLSearchParams): readonly JsonObject[] {
    const done = query.get('done');
    return [...tasks.values()].filter(
      (task) => done === null || done === `${task['done'] === true}`,
    );
  }

  add(project: number, tasks: Tasks, body: JsonObject): Answer {
    const taskNo = this.nextNo(project, tasks);
    const task = { ...known(body), taskNo };
    this.store(tasks, task);
    return { status: 201, body: task };
  }

  nextNo(project: number, _tasks: Tasks): number {
    const next = (this.#counts.get(project) ?? 0) + 1;
    this.#counts.set(project, next);
    return next;
  }

  store(tasks: Tasks, task: JsonObject): void {
    tasks.set(Number(task['taskNo']), task);
  }

  find(tasks: Tasks, no: number): JsonObject | undefined {
    return tasks.get(no);
  }

  change(tasks: Tasks, taskNo: number, before: JsonObject, body: JsonObject): Answer {
    const task = { ...before, ...known(body), taskNo };
    tasks.set(taskNo, task);
    return { status: 200, body: task };
  }

  remove(tasks: Tasks, no: number): Answer {
    tasks.delete(no);
    return { status: 204 };
  }
}

interface Answer {
  readonly status: number;
  readonly body?: JsonValue;
}
type Tasks = Map<number, JsonObject>;

const missing: Answer = { status: 404, body: { message: 'There is no such thing.' } };
const refused: Answer = { status: 422, body: { message: 'The body is not valid.' } };
const members = ['title', 'done', 'points'];

function known(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => members.includes(name)));
}

function isOfLength(text: string, most: number): boolean {
  const { length } = Array.from(text);
  return length >= 1 && length <= most;
}

function isTask(body: JsonValue, isPart = false): body is JsonObject {
  if (!isJsonObject(body)) return false;
  const { title, done, points } = body;
  const isLeftOut = (value: JsonValue | undefined): boolean => isPart && value === undefined;
  return (
    (isLeftOut(title) || (typeof title === 'string' && isOfLength(title, 200))) &&
    (isLeftOut(done) || typeof done === 'boolean') &&
    (points === undefined ||
      (typeof points === 'number' && Number.isInteger(points) && points >= 0 && points <= 100))
  );
}

const contract = await loadContract({ file: fixtureFile('tasks.yaml') });

async function judge(
  server: TaskServer,
  options: Parameters<typeof runConformance>[2] = {},
): Promise<RunReport> {
  const sender: Sender = {
    send: ({ url, method, body }) => {
      const { pathname, searchParams } = new URL(url);
      let sent: JsonValue = null;
      try {
        sent = parseJson(body ?? 'null');
      } catch {}
      const answer = server.handle(method, pathname, searchParams, sent);
      const response = {
        status: answer.status,
        headers: [['content-type', 'application/json'] as const],
        body: answer.body === undefined ? '' : renderJson(answer.body),
        utf8: true,
      };
      return Promise.resolve({ kind: 'answered', response });
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const target = { baseUrl: 'http://tasks.test', apiKey: undefined };
  return await runConformance(contract, target, {
    clock: createStillClock(),
    sender,
    requests: 300,
    ...options,
  });
}

test('tasks within projects are judged like any collection, also in a second run', async () => {
  const server = new TaskServer();
  for (const seed of [1, 2]) {
    const report = await judge(server, { seed });
    expect(listIds(report, 'failed')).toEqual([]);
    expect(listIds(report, 'passed')).toEqual(
      expect.arrayContaining([
        'listTasks/state.listed',
        'listTasks/state.own-parent',
        'addTask/state.id-unique',
        'getTask/state.readable',
        'getTask/state.read.title',
        'getTask/status.404',
        'replaceTask/state.stored',
        'changeTask/state.others-kept',
        'removeTask/state.removed',
        'addTask/concurrency.stored',
        'listTasks/parameter.done.filter',
      ]),
    );
  }
  expect([...server.projects.values()].flatMap(({ tasks }) => [...tasks])).toEqual([]);
});

test('an existing project is used if none may be added', async () => {
  const server = new TaskServer();
  server.handle('POST', '/projects', new URLSearchParams(), { name: 'Of others' });
  const task = { title: 'A task', done: false };
  server.handle('POST', '/projects/1/tasks', new URLSearchParams(), task);
  const report = await judge(server, { readOnly: true });
  expect(listIds(report, 'failed')).toEqual([]);
  expect(listIds(report, 'passed')).toEqual(
    expect.arrayContaining(['listTasks/status.200', 'getTask/state.readable']),
  );
});

/** A server that is wrong, or odd, in one way. */
type Change = Partial<Pick<TaskServer, Methods>> & ThisType<TaskServer>;
type Methods = 'list' | 'add' | 'nextNo' | 'store' | 'find' | 'change' | 'remove' | 'removeProject';

const right = TaskServer.prototype;

function listAll(this: TaskServer): readonly JsonObject[] {
  return [...this.projects.values()].flatMap(({ tasks }) => [...tasks.values()]);
}

const faults: readonly (readonly [title: string, change: Change, requirement: string])[] = [
  ['a task is not stored', { store() {} }, 'addTask/state.stored'],
  [
    'a task is stored with another title',
    { store: (tasks, task) => void tasks.set(Number(task['taskNo']), { ...task, title: 'x' }) },
    'getTask/state.read.title',
  ],
  ['a task is not removed', { remove: () => ({ status: 204 }) }, 'removeTask/state.removed'],
  [
    'all tasks of the project are removed',
    {
      remove(tasks) {
        tasks.clear();
        return { status: 204 };
      },
    },
    'removeTask/state.others-kept',
  ],
  [
    'a change is lost',
    {
      change: (_tasks, taskNo, before, body) => ({
        status: 200,
        body: { ...before, ...known(body), taskNo },
      }),
    },
    'changeTask/state.stored',
  ],
  [
    'a replacement is lost',
    {
      change(tasks, taskNo, before, body) {
        return Object.keys(before).length > 0
          ? right.change.call(this, tasks, taskNo, before, body)
          : { status: 200, body: { ...known(body), taskNo } };
      },
    },
    'replaceTask/state.stored',
  ],
  [
    'a change drops what it does not send',
    {
      change(tasks, taskNo, before, body) {
        const kept = { title: 'x', done: false };
        const isPart = Object.keys(before).length > 0;
        return right.change.call(this, tasks, taskNo, isPart ? kept : {}, body);
      },
    },
    'changeTask/state.others-kept',
  ],
  [
    'a new task is in no list',
    { list: (tasks) => [...tasks.values()].slice(0, -1) },
    'listTasks/state.listed',
  ],
  [
    'a task is listed twice',
    { list: (tasks) => [...tasks.values(), ...tasks.values()] },
    'listTasks/state.distinct',
  ],
  ['tasks of all projects are listed in each', { list: listAll }, 'listTasks/state.own-parent'],
  [
    'a filter is ignored',
    { list: (tasks) => [...tasks.values()] },
    'listTasks/parameter.done.filter',
  ],
  [
    'another task is returned',
    { find: (tasks, no) => (tasks.has(no) ? [...tasks.values()][0] : undefined) },
    'getTask/state.read.taskNo',
  ],
  ['all tasks of a project get the same number', { nextNo: () => 1 }, 'addTask/state.id-unique'],
  [
    'a task that is not there is found',
    { find: (tasks, taskNo) => tasks.get(taskNo) ?? { taskNo, title: 'x', done: true } },
    'removeTask/state.removed',
  ],
  [
    'an added task is answered with another title',
    {
      add(project, tasks, body) {
        const answer = right.add.call(this, project, tasks, body);
        return isJsonObject(answer.body)
          ? { ...answer, body: { ...answer.body, title: 'x' } }
          : answer;
      },
    },
    'addTask/state.echo.title',
  ],
];

test.for(faults)('%s', async ([, change, requirement]) => {
  const report = await judge(Object.assign(new TaskServer(), change));
  expect(listIds(report, 'failed')).toContain(requirement);
});

test('items that are not stored are one failure, whichever requests look for them', async () => {
  const report = await judge(Object.assign(new TaskServer(), { store() {} }));
  expect(listIds(report, 'failed')).toEqual(['addTask/state.stored']);
});

/** What the document leaves open. */
const open: readonly (readonly [title: string, change: Change])[] = [
  [
    'tasks are counted across projects',
    {
      nextNo() {
        return right.nextNo.call(this, 0, new Map());
      },
    },
  ],
  [
    'tasks stay where their project is removed, and a project with tasks does too',
    { removeProject: () => ({ status: 204 }) },
  ],
  [
    'a project with tasks is not removed',
    {
      removeProject(id) {
        const isFull = (this.projects.get(id)?.tasks.size ?? 0) > 0;
        return isFull ? { status: 409 } : right.removeProject.call(this, id);
      },
    },
  ],
];

test.for(open)('%s: the document does not say', async ([, change]) => {
  const report = await judge(Object.assign(new TaskServer(), change));
  expect(listIds(report, 'failed').filter((id) => id.includes('Task'))).toEqual([]);
});

test("tasks of one project in another's list are unusual, but no failure of the run", async () => {
  const server = new TaskServer();
  const shown = Object.assign(server, {
    list: listAll,
    nextNo: () => right.nextNo.call(server, 0, new Map()),
  });
  server.handle('POST', '/projects', new URLSearchParams(), { name: 'Of others' });
  const task = { title: 'Another task', done: false };
  server.handle('POST', '/projects/1/tasks', new URLSearchParams(), task);
  const report = await judge(shown, { skip: ['listTasks/parameter.done.filter'] });
  expect(listIds(report, 'failed')).toEqual(['listTasks/state.own-parent']);
  expect(report.outcome).toBe('conforms');
});

test('a run with deeply nested collections looks up each parent once', async () => {
  const item = `{ type: object, required: [id], properties: { id: { type: string } } }`;
  const shown = (schema: string): string =>
    `description: Done., content: { application/json: { schema: ${schema} } }`;
  const names = Array.from({ length: 30 }, (_, at) => `i${at}`);
  const paths = names.map((name, at) => {
    const path = `/n${names
      .slice(0, at)
      .map((one, index) => `/{${one}}/n${index}`)
      .join('')}`;
    return `  ${path}:
    get: { responses: { 200: { ${shown(`{ type: array, items: ${item} }`)} } } }
    post: { requestBody: { content: { application/json: { schema: ${item} } } }, responses: { 201: { ${shown(item)} } } }
  ${path}/{${name}}: { get: { responses: { 200: { ${shown(item)} } } } }`;
  });
  const report = await judgeDocument(await loadYaml(`paths:\n${paths.join('\n')}`), {});
  expect(report.outcome).toBe('conforms');
});
