"""Topics of illness, findings, trials and outcomes."""

from incrowd.core.schema import Role
from incrowd.proposing.vocabulary.topic import Topic

ARM = Topic(
    Role.KEEP,
    "the arm or the design of a trial",
    "arm, armcd, actarm, actarmcd, trial arm, study arm, treatment arm, treatment group, control group, randomized, "
    "randomised, randomization, randomisation, random assignment, placebo, allocation, allocated, blinded, stratum of "
    "randomization, intervention group, experimental group, experimental condition, intervention, pruefarm, "
    "behandlungsgruppe, kontrollgruppe, randomisierung, bras, groupe de traitement, randomise, brazo, grupo de "
    "tratamiento, aleatorizado, braccio, randomizzato, onderzoeksarm, gerandomiseerd, braco, vignette, stimulus, "
    "voucher, assigned, assign, assignment, treatment assigned, randomized arm, rand arm, randomisation arm, "
    "randomization arm, condition assigned, manipulation, training program, trainee, braccio di trattamento, grupo de "
    "estudio, grupo control, studienarm, grupo tratamento, behandlingsarm",
)
DOSE = Topic(
    Role.SENSITIVE,
    "a treatment, a dose or the design of a trial",
    "dose, dosage, exdose, exdosfrq, regimen, infusion, titration, trt, treat, treated, treatment, rx, exposure, "
    "experiment, protocol, coinsurance, copay, deductible, therapy, chemo, chemotherapy, radiotherapy, radiation, "
    "hormone, hormon, steroid, steroids, stent, dosis, dosierung, posologie, traitement, dosaggio, posologia, "
    "dosering, behandlung, therapie, tratamiento, behandeling, trattamento, tratamento, terapia, train, drugdose, "
    "milligrams, units administered, dosis diaria, dose diaria, interferon, prednisone, aspirin, anesthetic, "
    "anesthesia, chemotherapie, radiotherapie, bestrahlung, quimioterapia, radioterapia, vaccine dose",
    "coins, dos, trtm, hormo",
)
ILLNESS = Topic(
    Role.SENSITIVE,
    "a diagnosis, a treatment or a state of health",
    "diagnosis, diagnose, diagnoses, dx, disease, illness, injury, injuries, icd, condition, symptom, medication, "
    "medicine, drug, drugs, procedure, surgery, operation, hiv, aids, cancer, tumor, tumour, comorbidity, allergy, "
    "disability, disabled, pregnancy, pregnant, genetic, gene, genotype, genome, dna, mutation, prognosis, severity, "
    "mental, psychiatric, addiction, abuse, alcohol, ethanol, smoker, smoking, smoke, smokes, cigarette, cigs, "
    "tobacco, drink, drinks, drinking, drunk, cocaine, heroin, marijuana, cannabis, opioid, overdose, health, sick, "
    "cause of death, death cause, diagnostic, diabetes, diabetic, asthma, hypertension, angina, stroke, heart, "
    "cardiac, infarction, hepatitis, tuberculosis, epilepsy, seizure, headache, migraine, depression, depressed, "
    "anxiety, dementia, autism, schizophrenia, suicide, suicidal, abortion, contraception, menopause, meno, family "
    "history, family hist, famhx, fam hx, famhist, fhx, medical history, organ, organs, preterm, premie, preemie, low "
    "birth weight, lowbirthweight, birth control, birth outcome, birth defect, live birth, stillbirth, premature, "
    "gestation, fracture, pain, cough, fever, fatigue, nausea, vomiting, edema, oedema, ascites, infection, infected, "
    "covid, vaccine, vaccinated, immunized, immunization, hospitalized, chronic, surgical, transplant, adverse event, "
    "aeterm, aedecod, aesev, mhterm, cmtrt, cmdecod, relapse, recurrence, remission, resistance, sensitivity, "
    "toxicity, weakness, vision, hearing, eye disease, mgus, habit, affair, affairs, sexual partners, krankheit, "
    "erkrankung, medikament, behinderung, schwanger, schwangerschaft, todesursache, raucher, rauchen, hauptdiagnose, "
    "nebendiagnose, verletzung, schmerz, gesundheit, maladie, symptome, medicament, handicap, grossesse, fumeur, "
    "sante, blessure, douleur, chirurgie, diagnostico, enfermedad, sintoma, medicamento, procedimiento, discapacidad, "
    "embarazo, fumador, salud, lesion, dolor, ziekte, symptoom, medicijn, zwanger, roker, gezondheid, letsel, pijn, "
    "diagnosi, malattia, sintomo, farmaco, procedura, gravidanza, fumatore, salute, dolore, doenca, remedio, gravidez, "
    "fumante, saude, deficiencia, comorbidities, copd, chf, cvd, cad, afib, atrial fibrillation, arrhythmia, renal, "
    "kidney, liver, cirrhosis, hbsag, hcv, hbv, thyroid, anemia, anaemia, obese, obesity, overweight, sepsis, septic, "
    "pneumonia, coma, ventilator, ventilation, intubated, pregnancies, gravida, breastfed, breast feeding, "
    "breastfeeding, congenital, malformation, ulcer, thrombosis, complication, complications, crohn, blind, deaf, "
    "insomnia, sleep disorder, eczema, allergies, allergic, conmed, concomitant medication, prescription, prescribed, "
    "surgeries, unsafe, std, sti, chlamydia, gonorrhea, herpes, syphilis, condom, contraceptive, miscarriage, "
    "stillborn, induced, spontaneous, case status, highbp, high bp, bp meds, smokstat, smoking status, tabagisme, "
    "tabaquismo, fumo, fuma, tabaco, alcoholismo, alkohol, alkoholkonsum, consommation alcool, diagnostico principal, "
    "diagnosi principale, diagnostic principal, diagnose code, vorerkrankung, vorerkrankungen, allergie, allergien, "
    "nebenwirkung, unerwuenschtes ereignis, evento adverso, evento avverso, effet indesirable, comorbilidad, "
    "patologia, patologie, antecedentes, antecedents, voorgeschiedenis, icpc, episode icpc, sygdom, sykdom, sjukdom, "
    "roeker, roekning, roeyker, choroba, drg, medecine, medecines, medicines",
    "diag, hlth, heal, dise, disea, smok, smk, alc, drnk, drk, drks, depr, inj, canc, chron, sympt, psych, phys, ment, "
    "medic, preg, disab, disabl, surg, therap, card, relaps, recur, resp, infec, vacc, diab, hyper, illn, diabe, "
    "asthm, hosptl, medicat, alcoh, cigar, infert, arthr, cereb, ischem, chronc",
)
FINDING = Topic(
    Role.SENSITIVE,
    "a laboratory value or a clinical finding",
    "lab, result, test result, finding, blood, blood type, blood pressure, systolic, diastolic, sbp, dbp, pulse, heart "
    "rate, temperature, temp, cholesterol, chol, hdl, ldl, triglycerides, trig, glucose, insulin, hba, hemoglobin, "
    "haemoglobin, hgb, hematocrit, platelet, platelets, wbc, rbc, lymphocytes, neutrophils, esr, crp, albumin, alb, "
    "bilirubin, bili, creatinine, creat, urea, bun, egfr, sodium, potassium, calcium, copper, ferritin, zinc, ast, "
    "alt, alp, alk phos, alkaline phosphatase, ggt, sgot, protime, prothrombin, inr, psa, tsh, cd, viral load, kappa, "
    "lambda, antigen, antibody, titer, hla, concentration, conc, plasma, serum, urine, clearance, biopsy, histology, "
    "histol, celltype, cell type, marker, biomarker, mspike, stage, staging, nodes, node, lymph, metastasis, grading, "
    "receptor, estrogen, progesterone, er, pgr, her, ecog, karno, karnofsky, apgar, gleason, gcs, glasgow, asa, "
    "mallampati, cavitation, radiologic, xray, ct, mri, scan, ecg, ejection fraction, fev, spirometry, oxygen, "
    "saturation, spo, lvef, baseline, change from baseline, lbtest, lborres, lbstresn, vstest, vsorres, hepato, "
    "spiders, differ, extent, obstruct, adhere, perfor, mismatch, reject, rejection, lesion, size of tumor, birth "
    "weight, birthweight, bwt, bwght, head circumference, protein, glyco, acid, vitamin, bone density, laborwert, "
    "befund, ergebnis, blutdruck, blut, puls, temperatur, resultat, tension, sang, resultado, sangre, presion, "
    "uitslag, bloed, bloeddruk, risultato, sangue, pressione, exame, pressao, bweight, birthwt, birthweight grams, "
    "rna, viral rna, cdcount, fibrosis, ejection, psa level, wbc count, rbc count, t cell, laboratory, laborwerte, "
    "valor laboratorio, valore, valor analitica, blodtrykk, blodtryck, blodtryk, peak flow, vital signs, imaging, mri "
    "result, tumor size, tumor grade, lymph nodes, gleason score, genotype result, pathology, cytology, hematocrito, "
    "glucosa, glucemia, glicemia, colesterol, colesterolo, creatinina, hemoglobina, emoglobina, frequenza cardiaca, "
    "pressione sistolica, stadio, stadium, tnm, stade, ae grade, ae grado, ctcae, toxicity grade, grad tox",
    "creati, hemog, glyc, chole, recp, estrg, tumor, nodal, haem, plat, bilir, album, cholest, triglyc, biops, lympho, "
    "neutro",
)
SCALE = Topic(
    Role.SENSITIVE,
    "a score or an index of health or behavior",
    "mcs, pcs, cesd, phq, gad, bdi, hamd, mmse, moca, adl, iadl, qol, quality of life, eq, sf, panss, madrs, audit, "
    "index of health, symptom score, risk score, risk, riskscore, apache, sofa, charlson, hospvis, docvis",
)
OUTCOME = Topic(
    Role.SENSITIVE,
    "an outcome, or the time until it",
    "outcome, event, endpoint, response, responder, success, failure, failed, improved, improvement, progression, "
    "cured, survival, survived, survive, censor, censored, cens, delta, follow up, followup, futime, time to event, "
    "survival time, duration, length of stay, los, aval, cnsr, ergebnis, verlauf, ueberleben, dauer, survie, duree, "
    "resultado final, supervivencia, duracion, uitkomst, overleving, duur, esito, sopravvivenza, durata, desfecho, "
    "sobrevida, duracao, vital status, vitalstatus, alive, mortality, churn, churned, attrition, readmission, "
    "readmitted, readmit, exit status, exitus, verstorben, decede, esito clinico, time to death, time to relapse, days "
    "to event, stime, survtime, os time, pfs, dfs, time on study, last status",
    "surv, rectime, rtime, durat, censr, mortal, readm",
)
