import { fixtures, jobFixtures } from '../fixtures/fixtures.ts'
import { jobCatalogue } from '../fixtures/job-catalogue.ts'
import { parseJob } from '../../../src/language/job/parse-job.ts'
import { parseTask } from '../../../src/language/task/parse-task.ts'
import { judge, mistakesIn } from './seed-mistakes.ts'
const show=process.argv[2]; const N=Number(process.argv[3]??6)
const counts:any={}; const samples:any={}
for(const f of [...fixtures(),...jobFixtures()].filter(f=>f.valid)){
  const parse=(t:string)=>f.language==='job'?parseJob(t,jobCatalogue).diagnostics:parseTask(t).diagnostics
  const before=parse(f.text)
  for(const m of mistakesIn(f.text,f.language)){
    const after=parse(m.text); const j=judge(m,before,after)
    const c=counts[m.className]??={n:0,exact:0,clean:0}; c.n++; if(j.exact)c.exact++; if(j.followUps.length===0)c.clean++
    if(!j.exact||j.followUps.length>0)(samples[m.className]??=[]).push([f.language+'/'+f.name,m,j,after])
  }
}
let t={n:0,exact:0,clean:0}
for(const k of Object.keys(counts).sort()){const c=counts[k];console.log(k.padEnd(34),String(c.n).padStart(5),String(c.exact).padStart(5),String(c.clean).padStart(5));t.n+=c.n;t.exact+=c.exact;t.clean+=c.clean}
console.log('TOTAL',t)
if(show)for(const k of Object.keys(samples))if(k.includes(show))for(const [name,m,j,after] of samples[k].slice(0,N)){
  const line=m.text.slice(0,m.start).split('\n').length
  console.log('---',k,name,'line',line,JSON.stringify(m.text.slice(m.start,m.end)),'|',m.text.split('\n')[line-1], j.exact?'exact':'NOT EXACT')
  for(const d of after.slice(0,4))console.log('    ',d.severity,d.line+':'+d.column+'-'+d.end_column,d.code,d.message,'|',d.hint)
}
